import { useStore } from 'zustand'
import { failureText } from '../state/failureText'
import { dismissNotice, noticeStore, type Posted } from '../state/notices'
import { IconButton } from '../ui/IconButton'
import { Notice } from '../ui/Notice'
import type { Words } from '../words/en'
import { useWords } from '../words/useWords'

/** What no better place shows; stays until it is dismissed. */
export function Toasts() {
  const words = useWords()
  const notices = useStore(noticeStore)
  return (
    <section className="toasts" aria-label={words.notices} aria-live="polite">
      {notices.map((notice) => (
        <Notice
          key={notice.id}
          tone={notice.tone === 'danger' ? 'danger' : 'stalled'}
          icon={notice.tone === 'danger' ? 'x' : 'flag'}
          title={typeof notice.title === 'string' ? notice.title : postedTitle(notice.title, words)}
          actions={<IconButton icon="x" size="s" label={words.dismiss} onClick={() => dismissNotice(notice.id)} />}
        >
          {typeof notice.detail === 'string' ? notice.detail : failureText(notice.detail, words)}
        </Notice>
      ))}
    </section>
  )
}

function postedTitle({ code, slug }: Posted, words: Words): string {
  const about = slug ?? ''
  switch (code) {
    case 'resumeRefused':
      return words.notice.resumeRefused(about)
    case 'spontaneousTurn':
      return words.notice.spontaneousTurn(about)
    case 'fileTrouble':
      return words.notice.fileTrouble
    default:
      // A newer server may know more: its detail is still worth showing.
      return words.notice.other
  }
}
