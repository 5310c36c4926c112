import { useStore } from 'zustand'
import { connectionStore } from '../state/connection'
import { retryNow } from '../state/page'
import { Notice } from '../ui/Notice'
import { useNow } from '../ui/useNow'
import { useLocale, useWords } from '../words/useWords'
import { clockTime } from '../words/words'

/** While the connection is lost: since when, when it is tried again, and that nothing else stopped. */
export function ConnectionBanner() {
  const words = useWords()
  const locale = useLocale()
  const phase = useStore(connectionStore, (connection) => connection.phase)
  const now = useNow(Date.now)
  if (phase.name !== 'lost') return null
  const since = clockTime(phase.sinceMs, locale)
  const seconds = Math.ceil((phase.retryAtMs - now) / 1000)
  return (
    <Notice
      tone="stalled"
      icon="link"
      actions={
        <button type="button" className="btn s" onClick={retryNow}>
          {words.connection.retryNow}
        </button>
      }
    >
      {seconds > 0 ? words.connection.lostSince(since, seconds) : words.connection.retrying(since)}
    </Notice>
  )
}
