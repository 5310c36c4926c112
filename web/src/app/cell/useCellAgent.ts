import { useStore } from 'zustand'
import { agentStore, type ProjectAgent } from '../../state/agents'
import { cellStore } from '../../state/cells'
import type { View } from '../../wire/shapes'

/** The agent and view of a cell; the agent is undefined in a free cell and after its removal. */
export function useCellAgent(nodeId: string): { agentId: string | null; agent: ProjectAgent | undefined; view: View } {
  const cell = useStore(cellStore, (cells) => cells.byNode.get(nodeId))
  const agent = useStore(agentStore, (agents) => agents.get(cell?.agentId ?? ''))
  return { agentId: cell?.agentId ?? null, agent, view: cell?.view ?? 'chat' }
}
