/** Which agent each cell shows, and which cell has the focus. The grid's geometry is the grid's own business. */

import { createStore } from 'zustand/vanilla'
import type { Cell, View } from '../wire/shapes'

export interface Cells {
  /** Whose cells these are. */
  projectId: string | null
  /** By node id. */
  byNode: ReadonlyMap<string, Cell>
  /** The cell in use; the agent in it is the one that is chosen in lists. */
  focused: string | null
}

export const cellStore = createStore<Cells>(() => ({ projectId: null, byNode: new Map(), focused: null }))

export function placed(cells: Cells['byNode'], cell: Cell): Cells['byNode'] {
  const next = new Map(cells)
  // An agent is shown in one cell: coming here, it leaves where it was.
  for (const other of cells.values()) {
    if (cell.agentId !== null && other.agentId === cell.agentId && other.nodeId !== cell.nodeId) {
      next.set(other.nodeId, { ...other, agentId: null })
    }
  }
  return next.set(cell.nodeId, cell)
}

export function without(cells: Cells['byNode'], nodeId: string): Cells['byNode'] {
  const next = new Map(cells)
  next.delete(nodeId)
  return next
}

export function cellOf(cells: Cells['byNode'], agentId: string): Cell | undefined {
  return [...cells.values()].find((cell) => cell.agentId === agentId)
}

/** The agent in the cell in use. */
export function chosenAgent({ byNode, focused }: Cells): string | null {
  return byNode.get(focused ?? '')?.agentId ?? null
}

/** The person stays in the same cell as long as there is one. */
export function takeCells(projectId: string, cells: readonly Cell[]): void {
  const byNode = new Map(cells.map((cell) => [cell.nodeId, cell]))
  cellStore.setState(({ focused }) => ({ projectId, byNode, focused: byNode.has(focused ?? '') ? focused : null }))
}

export function placeCell(nodeId: string, agentId: string | null, view: View): void {
  cellStore.setState((cells) => ({ byNode: placed(cells.byNode, { nodeId, agentId, view }) }))
}

export function removeCell(nodeId: string): void {
  cellStore.setState((cells) => ({
    byNode: without(cells.byNode, nodeId),
    focused: cells.focused === nodeId ? null : cells.focused,
  }))
}

export function focusCell(nodeId: string | null): void {
  if (cellStore.getState().focused !== nodeId) cellStore.setState({ focused: nodeId })
}
