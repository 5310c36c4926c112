/** Where this tab's person is in the cells of each project: for a reload, and for when the page turns narrow or wide. */

import { keepForTab, keptForTab } from '../lib/tabStorage'
import { cellOf, cellStore } from './cells'

export interface Place {
  nodeId: string | null
  /** Who is in that cell: it may have gone, and the agent may be in another one by then. */
  agentId: string | null
  /** The cell that has the whole grid. */
  maximised: string | null
}

const KEY = 'idea.places'
const NOWHERE: Place = { nodeId: null, agentId: null, maximised: null }

export function placeIn(projectId: string): Place {
  return placeOf(Reflect.get(kept(), projectId))
}

export function keepPlace(projectId: string, part: Partial<Place>): void {
  keepForTab(KEY, { ...kept(), [projectId]: { ...placeIn(projectId), ...part } })
}

/** The cell of that place, as long as there is one. */
export function cellAt({ nodeId, agentId }: Place): string | null {
  const { byNode } = cellStore.getState()
  if (nodeId !== null && byNode.has(nodeId)) return nodeId
  return agentId === null ? null : (cellOf(byNode, agentId)?.nodeId ?? null)
}

function kept(): object {
  const places = keptForTab(KEY)
  return typeof places === 'object' && places !== null ? places : {}
}

function placeOf(value: unknown): Place {
  if (typeof value !== 'object' || value === null) return NOWHERE
  const text = (name: keyof Place) => {
    const found: unknown = Reflect.get(value, name)
    return typeof found === 'string' ? found : null
  }
  return { nodeId: text('nodeId'), agentId: text('agentId'), maximised: text('maximised') }
}
