/** What was done here to a layout since the one that the server has, so that it can be done again on a newer one. */

import type { Cell } from '../wire/shapes'
import { isSameShape, type Shape } from './layoutShape'

export interface LayoutState {
  cells: readonly Cell[]
  shape: Shape | null
}

export interface LayoutChanges {
  added: readonly Cell[]
  /** Their ids. */
  closed: readonly string[]
  /** Other agents or views in cells that were there. */
  changed: readonly Cell[]
  /** Nothing but the places or sizes of cells: on another layout that means nothing. */
  isMoveOnly: boolean
}

export function changesBetween(base: LayoutState, present: LayoutState): LayoutChanges {
  const before = new Map(base.cells.map((cell) => [cell.nodeId, cell]))
  const ids = new Set(present.cells.map(({ nodeId }) => nodeId))
  const added = present.cells.filter(({ nodeId }) => !before.has(nodeId))
  const closed = base.cells.map(({ nodeId }) => nodeId).filter((id) => !ids.has(id))
  const changed = present.cells.filter((cell) => isOther(cell, before.get(cell.nodeId)))
  const hasNone = added.length + closed.length + changed.length === 0
  return { added, closed, changed, isMoveOnly: hasNone && !isSameShape(base.shape, present.shape) }
}

function isOther(cell: Cell, before: Cell | undefined): boolean {
  return before !== undefined && (cell.agentId !== before.agentId || cell.view !== before.view)
}
