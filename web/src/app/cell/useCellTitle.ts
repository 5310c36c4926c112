import type { View } from '../../wire/shapes'
import type { Words } from '../../words/en'
import { useWords } from '../../words/useWords'
import { useCellAgent } from './useCellAgent'

/** What screen readers call the cell: agent and view. */
export function useCellTitle(nodeId: string): string {
  const words = useWords()
  const { agent, view } = useCellAgent(nodeId)
  return cellTitle(agent?.name, view, words)
}

export function cellTitle(agentName: string | undefined, view: View, words: Words): string {
  if (agentName === undefined) return words.cell.emptyRegion
  return words.cell.region(agentName, view === 'chat' ? words.cell.chatView : words.cell.tuiView)
}
