import { useStore } from 'zustand'
import type { ProjectAgent } from '../../state/agents'
import { delegationStore } from '../../state/delegations'
import { activeAsk } from '../../state/overlay'
import { OverlayFrame } from './OverlayFrame'
import { Says } from './Says'

interface AskStripProps {
  agent: ProjectAgent
  /** Also what is announced. A chat needs none of it: it stands in the running turn below. */
  hasSays?: boolean
}

/** Where there is no terminal to cover: who talks to the agent, in a place of its own. */
export function AskStrip({ agent, hasSays = false }: AskStripProps) {
  const ask = useStore(delegationStore, (all) => activeAsk(agent, all))
  if (ask === null) return null
  return (
    <OverlayFrame form="ask-strip" ask={ask}>
      {hasSays && <Says ask={ask} agent={agent} />}
    </OverlayFrame>
  )
}
