import { useStore } from 'zustand'
import { useShallow } from 'zustand/react/shallow'
import { agentStore } from '../state/agents'
import { dismissNotice, noticeStore, type Notice as Posted } from '../state/notices'
import { isSaidElsewhere, noticeDetail, noticeTitle } from '../state/noticeText'
import { projectStore } from '../state/project'
import { IconButton } from '../ui/IconButton'
import { Notice } from '../ui/Notice'
import { Sentence } from '../ui/Sentence'
import { useLocale, useWords } from '../words/useWords'
import { listed } from '../words/words'
import { useIsNarrow } from './useIsNarrow'

const MOST_SHOWN = 3
/** More would hide what they speak of; a phone has room for one. */

/** What no better place shows; stays until it is dismissed. */
export function Toasts() {
  const words = useWords()
  const isNarrow = useIsNarrow()
  const projects = useStore(projectStore)
  const notices = useStore(noticeStore).filter((notice) => !isSaidElsewhere(notice, projects))
  const shown = notices.slice(isNarrow ? -1 : -MOST_SHOWN)
  const hidden = notices.length - shown.length
  const dismissAll = () => {
    for (const { id } of notices) dismissNotice(id)
  }
  return (
    <section className="toasts" aria-label={words.notices} aria-live="polite">
      {hidden > 0 && (
        <p className="toasts-more">
          {words.notice.more(hidden)}
          <button type="button" className="btn s" onClick={dismissAll}>
            {words.notice.allRead}
          </button>
        </p>
      )}
      {shown.map((notice) => (
        <Toast key={notice.id} notice={notice} />
      ))}
    </section>
  )
}

function Toast({ notice }: { notice: Posted }) {
  const words = useWords()
  const names = useStore(
    agentStore,
    useShallow((all) => {
      const { title, origin } = notice
      if (typeof title === 'string') return []
      const isMeant = (id: string, slug: string) => title.agentIds.includes(id) || slug === title.about
      return [...all.values()]
        .filter((one) => one.projectId === origin?.projectId && isMeant(one.id, one.slug))
        .map((one) => one.name)
    }),
  )
  return (
    <Notice
      tone={notice.tone === 'danger' ? 'danger' : 'stalled'}
      icon={notice.tone === 'danger' ? 'x' : 'flag'}
      title={noticeTitle(notice, words, listed(names, useLocale()), names.length)}
      actions={<IconButton icon="x" size="s" label={words.dismiss} onClick={() => dismissNotice(notice.id)} />}
    >
      <Sentence text={noticeDetail(notice, words)} />
    </Notice>
  )
}
