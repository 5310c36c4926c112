/** Which agent each cell shows, and which cell has the focus. The grid's geometry is the grid's own business. */

import { createStore } from 'zustand/vanilla'
import type { Cell, View } from '../wire/shapes'

export interface Cells {
  /** By node id. */
  byNode: ReadonlyMap<string, Cell>
  focused: string | null
}

export const cellStore = createStore<Cells>(() => ({ byNode: new Map(), focused: null }))

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
