/** Taking cells out of a tree, and putting them in beside others; the shares of who stays fill the room. */

import { type Axis, across, type Leaf, type Tree, type TreeNode, viewsOf } from './layoutTree'

/** Null when nothing is left. */
export function without(tree: Tree, gone: ReadonlySet<string>): Tree | null {
  const root = pruned(tree.root, gone)
  return root === null ? null : settled(tree.axis, [root])
}

export interface Place {
  /** Beside the smallest part of the grid that holds all of these. */
  anchor: readonly string[]
  /** Whoever is not among these came beside them in the meantime, and stays beside them. */
  known: ReadonlySet<string>
  axis: Axis
  side: 'before' | 'after'
  /** Of the room that the two of them have. */
  share: number
}

export function putBeside(tree: Tree, leaf: Leaf, place: Place): Tree {
  return settled(tree.axis, putAt(tree.root, tree.axis, leaf, place))
}

/** As a tab, behind `before` where that is one of its frame, else in front of the others. */
export function putInto(tree: Tree, view: string, frameOf: string, before: string | undefined): Tree {
  const put = (node: TreeNode): TreeNode => {
    if (node.kind === 'branch') return { ...node, children: node.children.map(put) }
    if (!node.views.includes(frameOf)) return node
    const at = before === undefined ? 0 : node.views.indexOf(before) + 1
    return { ...node, views: node.views.toSpliced(at, 0, view) }
  }
  const root = put(tree.root)
  return root.kind === 'branch' ? { ...tree, root } : tree
}

/** `node`, and what is put beside it, as children of its parent, which lies across `axis`. */
function putAt(node: TreeNode, axis: Axis, leaf: Leaf, place: Place): readonly TreeNode[] {
  const isIn = (part: TreeNode) => place.anchor.every((view) => viewsOf(part).includes(view))
  const isStranger = (part: TreeNode) => !viewsOf(part).some((view) => place.known.has(view))
  const isWithin = node.kind === 'branch' && node.children.some(isIn)
  if (isWithin && (place.axis === axis || !node.children.every((child) => isIn(child) || isStranger(child)))) {
    const children = node.children.flatMap((child) => (isIn(child) ? putAt(child, across(axis), leaf, place) : [child]))
    return [{ ...node, children }]
  }
  if (place.axis !== axis) return inOrder(node, leaf, place, node.share)
  const parts = node.kind === 'branch' ? node.children : [{ ...node, share: 1 }]
  const shrunk = parts.map((part) => ({ ...part, share: part.share * (1 - place.share) }))
  const added = { ...leaf, share: place.share }
  const children = place.side === 'before' ? [added, ...shrunk] : [...shrunk, added]
  return [{ kind: 'branch', share: node.share, children }]
}

function inOrder(node: TreeNode, leaf: Leaf, { side, share }: Place, whole: number): readonly TreeNode[] {
  const kept = { ...node, share: whole * (1 - share) }
  const added = { ...leaf, share: whole * share }
  return side === 'before' ? [added, kept] : [kept, added]
}

function pruned(node: TreeNode, gone: ReadonlySet<string>): TreeNode | null {
  if (node.kind === 'leaf') {
    const views = node.views.filter((view) => !gone.has(view))
    const front = views.find((view) => view === node.front) ?? views[0]
    return views.length === 0 ? null : { ...node, views, front }
  }
  const kept = node.children.map((child) => pruned(child, gone)).filter((child) => child !== null)
  return kept.length === 0 ? null : { ...node, children: evened(kept.flatMap(lifted)) }
}

/** A split of one part is none: what is in it lies along the same axis as its parent. */
function lifted(node: TreeNode): readonly TreeNode[] {
  const [only, ...others] = node.kind === 'branch' ? node.children : []
  if (only === undefined || others.length > 0) return [node]
  if (only.kind === 'leaf') return [{ ...only, share: node.share }]
  return only.children.map((child) => ({ ...child, share: child.share * node.share }))
}

function evened(nodes: readonly TreeNode[]): readonly TreeNode[] {
  const total = nodes.reduce((sum, { share }) => sum + share, 0)
  return nodes.map((node) => ({ ...node, share: total === 0 ? 1 / nodes.length : node.share / total }))
}

/** The one root, or several parts beside each other: the root's axis is turned where that leaves a level out. */
function settled(axis: Axis, parts: readonly TreeNode[]): Tree {
  const [first, ...others] = parts
  if (first?.kind !== 'branch' || others.length > 0) {
    return { axis: across(axis), root: { kind: 'branch', share: 1, children: evened(parts) } }
  }
  const [only, ...more] = first.children
  if (only?.kind === 'branch' && more.length === 0) return { axis: across(axis), root: { ...only, share: 1 } }
  return { axis, root: { ...first, share: 1, children: evened(first.children) } }
}
