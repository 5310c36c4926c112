import { useStore } from 'zustand'
import { connectionStore } from '../state/connection'
import { retryNow } from '../state/page'
import { doAllOutliveServer, projectStore } from '../state/project'
import { Notice } from '../ui/Notice'
import { useClock } from '../ui/useClock'
import type { LinkPhase } from '../wire/link'
import { useLocale, useWords } from '../words/useWords'
import { clockTime } from '../words/words'

/** While the connection is lost: since when, when it is tried again, and whether the agents go on whatever the server does. */
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
  const doAgentsGoOn = useStore(projectStore, doAllOutliveServer)
  return (
    <>
      {words.connection.lostSince[phase.why](since)} {doAgentsGoOn && `${words.connection.agentsGoOn} `}
      {seconds > 0 ? words.connection.retryingIn(seconds) : words.connection.retryingNow}
    </>
  )
}
