import { useStore } from 'zustand'
import { dismissNotice, noticeStore } from '../state/notices'
import { noticeDetail, noticeTitle } from '../state/noticeText'
import { IconButton } from '../ui/IconButton'
import { Notice } from '../ui/Notice'
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
          title={noticeTitle(notice, words)}
          actions={<IconButton icon="x" size="s" label={words.dismiss} onClick={() => dismissNotice(notice.id)} />}
        >
          {noticeDetail(notice, words)}
        </Notice>
      ))}
    </section>
  )
}
