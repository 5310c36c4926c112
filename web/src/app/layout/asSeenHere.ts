/** Another browser's arrangement with what is this person's own left as it is: which tabs are in front, what is in use. */

import type { SerializedDockview } from 'dockview-react'

type Grid = SerializedDockview['grid']
type GridNode = Grid['root']

export interface Sight {
  /** Cells in front of the others in their frame. */
  inFront: ReadonlySet<string>
  /** The cell that keys and menus act on. */
  active: string | undefined
}

/** The sizes and places are theirs; nothing is maximised. */
export function asSeenHere(theirs: SerializedDockview, sight: Sight): SerializedDockview {
  const { width, height, orientation } = theirs.grid
  const root = inSight(theirs.grid.root, sight)
  const active = sight.active === undefined ? undefined : groupOf(root, sight.active)
  const grid = { root, width, height, orientation }
  return { ...theirs, grid, ...(active === undefined ? {} : { activeGroup: active }) }
}

function inSight(node: GridNode, sight: Sight): GridNode {
  if (Array.isArray(node.data)) return { ...node, data: node.data.map((child) => inSight(child, sight)) }
  const { data } = node
  const front = data.views.find((id) => id === sight.active) ?? data.views.find((id) => sight.inFront.has(id))
  return front === undefined ? node : { ...node, data: { ...data, activeView: front } }
}

function groupOf(node: GridNode, nodeId: string): string | undefined {
  if (!Array.isArray(node.data)) return node.data.views.includes(nodeId) ? node.data.id : undefined
  for (const child of node.data) {
    const found = groupOf(child, nodeId)
    if (found !== undefined) return found
  }
  return undefined
}
