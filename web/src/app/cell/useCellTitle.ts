import { useWords } from '../../words/useWords'
import { useCellAgent } from './useCellAgent'

/** What screen readers call the cell: agent and view. */
export function useCellTitle(nodeId: string): string {
  const words = useWords()
  const { agent, view } = useCellAgent(nodeId)
  if (agent === undefined) return words.cell.emptyRegion
  return words.cell.region(agent.name, view === 'chat' ? words.cell.chatView : words.cell.tuiView)
}
