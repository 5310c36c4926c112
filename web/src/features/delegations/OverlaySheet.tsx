import { type ReactNode, useState } from 'react'
import { useStore } from 'zustand'
import type { ProjectAgent } from '../../state/agents'
import { delegationStore } from '../../state/delegations'
import { activeAsk } from '../../state/overlay'
import { OverlayFrame } from './OverlayFrame'
import { Says } from './Says'

interface OverlaySheetProps {
  agent: ProjectAgent
  /** What a person is to answer for the ask to go on; it stays when the sheet is hidden. */
  foot: ReactNode
}

/**
 * Over the target's terminal while an agent talks to it; locks nothing.
 * Hiding it lasts for this ask: the next one shows again.
 */
export function OverlaySheet({ agent, foot }: OverlaySheetProps) {
  const ask = useStore(delegationStore, (all) => activeAsk(agent, all))
  const [hidden, setHidden] = useState<string | null>(null)
  if (ask === null || hidden === ask.ticketId) return <div className="term-notice">{foot}</div>
  return (
    <OverlayFrame form="sheet" ask={ask} onHide={() => setHidden(ask.ticketId)}>
      <Says ask={ask} agent={agent} />
      <div className="sheet-foot">{foot}</div>
    </OverlayFrame>
  )
}
