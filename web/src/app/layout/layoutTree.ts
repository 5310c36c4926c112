/** A grid's geometry as a tree of splits and frames with tabs: the same whatever the size of the window. */

export type Axis = 'HORIZONTAL' | 'VERTICAL'

interface Branch {
  kind: 'branch'
  /** Of its parent; those of one parent sum up to 1. */
  share: number
  children: readonly TreeNode[]
}

export interface Leaf {
  kind: 'leaf'
  share: number
  id: string
  /** The cells in it, in the order of their tabs. */
  views: readonly string[]
  front: string | undefined
}

export type TreeNode = Branch | Leaf

export interface Tree {
  /** Along which the root's children lie; below it the axes alternate. */
  axis: Axis
  root: Branch
}

const TOLERANCE = 0.03
/** Rounding to whole pixels and least sizes move a share by less than this in another window. */

export function across(axis: Axis): Axis {
  return axis === 'HORIZONTAL' ? 'VERTICAL' : 'HORIZONTAL'
}

/** Null for text that is no grid: the caller starts anew. */
export function treeOf(geometry: string): Tree | null {
  try {
    const grid = field(JSON.parse(geometry), 'grid')
    const root = nodeOf(field(grid, 'root'), 1)
    const axis = field(grid, 'orientation') === 'VERTICAL' ? 'VERTICAL' : 'HORIZONTAL'
    return root?.kind === 'branch' ? { axis, root } : null
  } catch {
    return null
  }
}

export function isSameTree(one: Tree | null, other: Tree | null): boolean {
  if (one === null || other === null) return one === other
  const isSameWay = one.axis === other.axis || one.root.children.length < 2
  return isSameWay && isSameNode(one.root, other.root, TOLERANCE)
}

/** Whatever the sizes. */
export function isSameStructure(one: Tree | null, other: Tree | null): boolean {
  if (one === null || other === null) return one === other
  const isSameWay = one.axis === other.axis || one.root.children.length < 2
  return isSameWay && isSameNode(one.root, other.root, Number.POSITIVE_INFINITY)
}

export function isAsShared(one: readonly number[], other: readonly number[]): boolean {
  return one.length === other.length && one.every((share, index) => isClose(share, other[index] ?? 0, TOLERANCE))
}

/** Left to right, top to bottom. */
export function leavesOf(node: TreeNode): readonly Leaf[] {
  return node.kind === 'leaf' ? [node] : node.children.flatMap(leavesOf)
}

export function viewsOf(node: TreeNode): readonly string[] {
  return leavesOf(node).flatMap(({ views }) => views)
}

/** The grid's own form of it, in a window of this size. */
export function gridOf(tree: Tree, width: number, height: number): object {
  const write = (node: TreeNode, axis: Axis, w: number, h: number, size: number): object => {
    if (node.kind === 'leaf') {
      return { type: 'leaf', data: { views: node.views, activeView: node.front, id: node.id }, size }
    }
    const data = node.children.map((child) => {
      const extent = (axis === 'HORIZONTAL' ? w : h) * child.share
      return axis === 'HORIZONTAL'
        ? write(child, 'VERTICAL', extent, h, extent)
        : write(child, 'HORIZONTAL', w, extent, extent)
    })
    return { type: 'branch', data, size }
  }
  const root = write(tree.root, tree.axis, width, height, tree.axis === 'HORIZONTAL' ? height : width)
  return { root, width, height, orientation: tree.axis }
}

function isSameNode(a: TreeNode, b: TreeNode, tolerance: number): boolean {
  if (!isClose(a.share, b.share, tolerance)) return false
  if (a.kind === 'leaf') return b.kind === 'leaf' && a.views.join('\n') === b.views.join('\n')
  if (b.kind === 'leaf' || a.children.length !== b.children.length) return false
  return a.children.every((child, index) => {
    const other = b.children[index]
    return other !== undefined && isSameNode(child, other, tolerance)
  })
}

function isClose(a: number, b: number, tolerance: number): boolean {
  return Math.abs(a - b) <= tolerance
}

function nodeOf(node: unknown, share: number): TreeNode | null {
  const content = field(node, 'data')
  if (field(node, 'type') === 'leaf') return leafOf(content, share)
  if (!Array.isArray(content)) return null
  const nodes: unknown[] = content
  const total = nodes.reduce<number>((sum, child) => sum + size(child), 0)
  const children = nodes.map((child) => nodeOf(child, total === 0 ? 1 / nodes.length : size(child) / total))
  const known = children.filter((child) => child !== null)
  return known.length === children.length ? { kind: 'branch', share, children: known } : null
}

function leafOf(content: unknown, share: number): Leaf {
  const views = field(content, 'views')
  const front = field(content, 'activeView')
  return {
    kind: 'leaf',
    share,
    id: String(field(content, 'id')),
    views: Array.isArray(views) ? views.map(String) : [],
    front: typeof front === 'string' ? front : undefined,
  }
}

function size(node: unknown): number {
  const value = field(node, 'size')
  return typeof value === 'number' ? value : 0
}

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
}
