/** What was done to a tree of cells, done again on another one: closings, moves, sizes. */

import {
  type Axis,
  across,
  isAsShared,
  isSameStructure,
  type Leaf,
  leavesOf,
  type Tree,
  type TreeNode,
  viewsOf,
} from './layoutTree'
import { type Place, putBeside, putInto, without } from './treeChanges'

/** On `theirs`, what made `mine` of `base`. */
export function mergedTree(base: Tree, mine: Tree, theirs: Tree): Tree {
  const moved = movedViews(base, mine)
  // Arranged anew altogether: then their cells come and go in the arrangement of here.
  return moved === null ? redone(base, theirs, mine, []) : redone(base, mine, theirs, moved)
}

/** On `onto`, what `from` made of `base`, of which these were moved. */
function redone(base: Tree, from: Tree, onto: Tree, moved: readonly string[]): Tree {
  const [before, has, there] = [base, from, onto].map((tree) => new Set(viewsOf(tree.root)))
  if (before === undefined || has === undefined || there === undefined) return onto
  const closed = [...before].filter((view) => !has.has(view))
  const again = [...has].filter((view) => (before.has(view) ? moved.includes(view) && there.has(view) : true))
  let tree = without(onto, new Set([...closed, ...again]))
  for (const leaf of leavesOf(from.root)) {
    for (const view of leaf.views) if (again.includes(view)) tree = putAgain(tree, from, leaf, view)
  }
  return tree === null ? onto : resized(tree, base, from)
}

/** Null where hardly anything is where it was. */
function movedViews(base: Tree, mine: Tree): readonly string[] | null {
  const before = new Set(viewsOf(base.root))
  const both = viewsOf(mine.root).filter((view) => before.has(view))
  const others = (tree: Tree, moved: readonly string[]) => {
    const kept = both.filter((view) => !moved.includes(view))
    return without(tree, new Set(viewsOf(tree.root).filter((view) => !kept.includes(view))))
  }
  const frames = leavesOf(mine.root).map(({ views }) => views.filter((view) => before.has(view)))
  const pairs = both.flatMap((one, index) => both.slice(index + 1).map((other) => [one, other]))
  const guesses = [[], ...both.map((view) => [view]), ...frames, ...pairs]
  return guesses.find((moved) => isSameStructure(others(base, moved), others(mine, moved))) ?? null
}

function putAgain(tree: Tree | null, from: Tree, leaf: Leaf, view: string): Tree {
  const alone: Leaf = { ...leaf, views: [view], front: view, share: 1 }
  if (tree === null) return { axis: from.axis, root: { kind: 'branch', share: 1, children: [alone] } }
  const here = new Set(viewsOf(tree.root))
  const index = leaf.views.indexOf(view)
  const before = leaf.views.slice(0, index).findLast((one) => here.has(one))
  const beside = before ?? leaf.views.slice(index + 1).find((one) => here.has(one))
  if (beside !== undefined) return putInto(tree, view, beside, before)
  const used = leavesOf(tree.root).map(({ id }) => id)
  const named = { ...alone, id: used.includes(leaf.id) ? freeId(used) : leaf.id }
  const known = new Set(viewsOf(from.root))
  const place = placeOf(from.root, from.axis, leaf, here) ?? besideAll(tree, here)
  return putBeside(tree, named, { ...place, known })
}

type Neighbourhood = Omit<Place, 'known'>

/** Where a frame stands in a tree, in terms of cells that are `here`: beside its nearest neighbour, in the smallest split. */
function placeOf(node: TreeNode, axis: Axis, leaf: Leaf, here: ReadonlySet<string>): Neighbourhood | null {
  if (node.kind === 'leaf') return null
  const index = node.children.findIndex((child) => leavesOf(child).includes(leaf))
  const own = node.children[index]
  if (own === undefined) return null
  const inner = placeOf(own, across(axis), leaf, here)
  if (inner !== null) return inner
  const isHere = (child: TreeNode) => viewsOf(child).some((view) => here.has(view))
  const before = node.children.slice(0, index).findLast(isHere)
  const neighbour = before ?? node.children.slice(index + 1).find(isHere)
  if (neighbour === undefined) return null
  return {
    anchor: viewsOf(neighbour).filter((view) => here.has(view)),
    axis,
    side: before === undefined ? 'before' : 'after',
    share: own.share / (own.share + neighbour.share),
  }
}

function besideAll(tree: Tree, here: ReadonlySet<string>): Neighbourhood {
  return { anchor: [...here], axis: tree.axis, side: 'after', share: 0.5 }
}

/** Splits that were given other sizes have them again, wherever the same parts lie beside each other. */
function resized(tree: Tree, base: Tree, from: Tree): Tree {
  const has = new Set(viewsOf(from.root))
  const shared = new Set(viewsOf(tree.root).filter((view) => has.has(view)))
  const wanted = splitsOf(from, shared)
  const before = splitsOf(base, shared)
  const size = (node: TreeNode, axis: Axis): TreeNode => {
    if (node.kind === 'leaf') return node
    const { key, parts } = splitOf(node, axis, shared)
    const was = before.get(key)
    const shares = wanted.get(key)
    const isOther = shares !== undefined && (was === undefined || !isAsShared(shares, was))
    const total = parts.reduce((sum, part) => sum + part.share, 0)
    const children = node.children.map((child) => {
      const share = isOther ? shares[parts.indexOf(child)] : undefined
      return size(share === undefined ? child : { ...child, share: share * total }, across(axis))
    })
    return { ...node, children }
  }
  const root = size(tree.root, tree.axis)
  return root.kind === 'branch' ? { ...tree, root } : tree
}

/** The shares of the parts of every split, by what lies in them. */
function splitsOf(tree: Tree, shared: ReadonlySet<string>): Map<string, readonly number[]> {
  const found = new Map<string, readonly number[]>()
  const look = (node: TreeNode, axis: Axis) => {
    if (node.kind === 'leaf') return
    const { key, parts } = splitOf(node, axis, shared)
    const total = parts.reduce((sum, part) => sum + part.share, 0)
    if (parts.length > 1)
      found.set(
        key,
        parts.map(({ share }) => share / total),
      )
    for (const child of node.children) look(child, across(axis))
  }
  look(tree.root, tree.axis)
  return found
}

/** Of the parts that hold any of the cells that both trees have. */
function splitOf(node: Extract<TreeNode, { kind: 'branch' }>, axis: Axis, shared: ReadonlySet<string>) {
  const namesIn = (part: TreeNode) => viewsOf(part).filter((view) => shared.has(view))
  const parts = node.children.filter((child) => namesIn(child).length > 0)
  return { key: [axis, ...parts.map((part) => namesIn(part).toSorted().join(' '))].join('\n'), parts }
}

function freeId(used: readonly string[]): string {
  let number = used.length + 1
  while (used.includes(String(number))) number += 1
  return String(number)
}
