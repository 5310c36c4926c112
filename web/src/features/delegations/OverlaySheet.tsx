import { useState } from 'react'
import { useStore } from 'zustand'
import type { ProjectAgent } from '../../state/agents'
import { delegationStore } from '../../state/delegations'
import { activeAsk } from '../../state/overlay'
import { OverlayFrame } from './OverlayFrame'
import { Says } from './Says'

/**
 * Over the target's terminal while an agent talks to it; locks nothing.
 * Hiding it lasts for this ask: the next one shows again.
 */
export function OverlaySheet({ agent }: { agent: ProjectAgent }) {
  const ask = useStore(delegationStore, (all) => activeAsk(agent, all))
  const [hidden, setHidden] = useState<string | null>(null)
  if (ask === null || hidden === ask.ticketId) return null
  return (
    <OverlayFrame form="sheet" ask={ask} onHide={() => setHidden(ask.ticketId)}>
      <Says ask={ask} agent={agent} />
    </OverlayFrame>
  )
}
