import { useStore } from 'zustand'
import { useProfile } from '../../bind/useProfile'
import { agentStore, type ProjectAgent } from '../../state/agents'
import { cellStore } from '../../state/cells'
import { possibleView } from '../../state/viewFor'
import type { View } from '../../wire/shapes'
import { useProjectId } from '../projectContext'

interface CellAgent {
  agentId: string | null
  /** Undefined in a free cell, and after the agent's removal. */
  agent: ProjectAgent | undefined
  view: View
}

/** What a cell shows. */
export function useCellAgent(nodeId: string): CellAgent {
  const cell = useStore(cellStore, (cells) => cells.byNode.get(nodeId))
  const agent = useStore(agentStore, (agents) => agents.get(cell?.agentId ?? ''))
  const profile = useProfile(useProjectId(), agent?.profile ?? '')
  return { agentId: cell?.agentId ?? null, agent, view: possibleView(profile, cell?.view ?? 'chat') }
}
