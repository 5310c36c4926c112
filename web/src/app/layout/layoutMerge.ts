/** What was done here to a layout, done again on the newer one of another browser. */

import { placed, without as withoutCell } from '../../state/cells'
import type { Cell } from '../../wire/shapes'
import { gridOf, isSameTree, type Tree, treeOf, viewsOf } from './layoutTree'
import { mergedTree } from './treeMerge'

export interface Arranged {
  /** As the grid library writes it. */
  geometry: string
  cells: readonly Cell[]
}

export function isSameArranged(one: Arranged, other: Arranged): boolean {
  const isSameCells = JSON.stringify(one.cells) === JSON.stringify(other.cells)
  return isSameCells && isSameTree(treeOf(one.geometry), treeOf(other.geometry))
}

/**
 * `theirs` with what made `mine` of `base`: cells made, closed, moved or given another agent, and sizes. What cannot be
 * read is not merged: theirs stands.
 */
export function mergedLayout(base: Arranged, mine: Arranged, theirs: Arranged): Arranged {
  const [before, here, there] = [treeOf(base.geometry), treeOf(mine.geometry), treeOf(theirs.geometry)]
  if (before === null || here === null || there === null) return theirs
  const tree = mergedTree(before, here, there)
  return {
    geometry: written(tree, mine.geometry, theirs.geometry),
    cells: mergedCells(base.cells, mine.cells, theirs.cells),
  }
}

export function mergedCells(base: readonly Cell[], mine: readonly Cell[], theirs: readonly Cell[]): readonly Cell[] {
  const before = byId(base)
  const here = byId(mine)
  let merged: ReadonlyMap<string, Cell> = byId(theirs)
  for (const { nodeId } of base) if (!here.has(nodeId)) merged = withoutCell(merged, nodeId)
  for (const cell of mine) {
    const was = before.get(cell.nodeId)
    const isMade = was === undefined
    const isOther = !isMade && (cell.agentId !== was.agentId || cell.view !== was.view)
    if (isMade || (isOther && merged.has(cell.nodeId))) merged = placed(merged, cell)
  }
  return [...merged.values()]
}

/** In the window of `theirs`. */
function written(tree: Tree, mine: string, theirs: string): string {
  const there = JSON.parse(theirs)
  const { width, height } = there.grid
  const known = { ...JSON.parse(mine).panels, ...there.panels }
  const panels = Object.fromEntries(viewsOf(tree.root).map((view) => [view, known[view]]))
  return JSON.stringify({ ...there, grid: gridOf(tree, width, height), panels })
}

function byId(cells: readonly Cell[]): Map<string, Cell> {
  return new Map(cells.map((cell) => [cell.nodeId, cell]))
}
