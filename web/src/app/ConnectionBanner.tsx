import { useStore } from 'zustand'
import { connectionStore } from '../state/connection'
import { retryNow } from '../state/page'
import { Notice } from '../ui/Notice'
import { useClock } from '../ui/useClock'
import type { LinkPhase } from '../wire/link'
import { useLocale, useWords } from '../words/useWords'
import { clockTime } from '../words/words'

/** While the connection is lost: since when, when it is tried again, and that nothing else stopped. */
export function ConnectionBanner() {
  const words = useWords()
  const phase = useStore(connectionStore, (connection) => connection.phase)
  if (phase.name !== 'lost') return null
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
      <Countdown phase={phase} />
    </Notice>
  )
}

function Countdown({ phase }: { phase: Extract<LinkPhase, { name: 'lost' }> }) {
  const words = useWords()
  const since = clockTime(phase.sinceMs, useLocale())
  const seconds = useClock(() => Math.max(0, Math.ceil((phase.retryAtMs - Date.now()) / 1000)))
  return seconds > 0 ? words.connection.lostSince(since, seconds) : words.connection.retrying(since)
}
