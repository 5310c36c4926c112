import { expect, it } from 'vitest'
import { gridOf, isSameTree, treeOf } from './layoutTree'

function grid(sizes: number[], views: string[][], orientation = 'HORIZONTAL'): string {
  const leaves = views.map((names, index) => ({ type: 'leaf', data: { views: names }, size: sizes[index] }))
  return JSON.stringify({ grid: { root: { type: 'branch', data: leaves, size: 900 }, width: 1440, orientation } })
}

it('is the same in a window of another size', () => {
  expect(isSameTree(treeOf(grid([600, 600], [['a'], ['b']])), treeOf(grid([401, 399], [['a'], ['b']])))).toBe(true)
})

it('differs when a divider moved, a cell left, tabs changed places, or beside became below', () => {
  const before = treeOf(grid([600, 600], [['a'], ['b', 'c']]))

  expect(isSameTree(before, treeOf(grid([800, 400], [['a'], ['b', 'c']])))).toBe(false)
  expect(isSameTree(before, treeOf(grid([1200], [['a']])))).toBe(false)
  expect(isSameTree(before, treeOf(grid([600, 600], [['a'], ['c', 'b']])))).toBe(false)
  expect(isSameTree(before, treeOf(grid([600, 600], [['a'], ['b', 'c']], 'VERTICAL')))).toBe(false)
})

it('is nothing for text that is no grid', () => {
  expect(['', 'x', '{}', '{"grid":{"root":3}}'].map(treeOf)).toEqual([null, null, null, null])
})

it('is written as the grid writes it', () => {
  const column = { type: 'branch', data: [leaf('b', 200), leaf('c', 600)], size: 300 }
  const root = { type: 'branch', data: [leaf('a', 900), column], size: 800 }
  const written = { root, width: 1200, height: 800, orientation: 'HORIZONTAL' }
  const tree = treeOf(JSON.stringify({ grid: written }))

  expect(tree && gridOf(tree, 1200, 800)).toEqual(written)
  expect(tree && isSameTree(tree, treeOf(JSON.stringify({ grid: gridOf(tree, 700, 500) })))).toBe(true)
})

function leaf(name: string, size: number) {
  return { type: 'leaf', data: { views: [name], activeView: name, id: name }, size }
}
