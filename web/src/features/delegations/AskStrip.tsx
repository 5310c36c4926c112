import { useStore } from 'zustand'
import type { ProjectAgent } from '../../state/agents'
import { delegationStore } from '../../state/delegations'
import { activeAsk } from '../../state/overlay'
import { useWords } from '../../words/useWords'
import { OverlayHead } from './OverlayHead'

/** In the target's chat: one line says who talks to it; what is announced stands in the running turn below. */
export function AskStrip({ agent }: { agent: ProjectAgent }) {
  const words = useWords()
  const ask = useStore(delegationStore, (all) => activeAsk(agent, all))
  if (ask === null) return null
  return (
    <div
      className="ask-strip is-working"
      role="group"
      aria-label={words.overlay.title}
      data-testid="overlay"
      data-ticket={ask.ticketId}
    >
      <OverlayHead ask={ask} />
    </div>
  )
}
