import { expect, it } from 'vitest'
import { isSameShape, shapeOf } from './layoutShape'

function grid(sizes: number[], views: string[][]): string {
  const leaves = views.map((names, index) => ({ type: 'leaf', data: { views: names }, size: sizes[index] }))
  return JSON.stringify({ grid: { root: { type: 'branch', data: leaves, size: 900 }, width: 1440 } })
}

it('is the same in a window of another size', () => {
  expect(isSameShape(shapeOf(grid([600, 600], [['a'], ['b']])), shapeOf(grid([401, 399], [['a'], ['b']])))).toBe(true)
})

it('differs when a divider moved, a cell left, or tabs changed places', () => {
  const before = shapeOf(grid([600, 600], [['a'], ['b', 'c']]))

  expect(isSameShape(before, shapeOf(grid([800, 400], [['a'], ['b', 'c']])))).toBe(false)
  expect(isSameShape(before, shapeOf(grid([1200], [['a']])))).toBe(false)
  expect(isSameShape(before, shapeOf(grid([600, 600], [['a'], ['c', 'b']])))).toBe(false)
})

it('is nothing for text that is no grid', () => {
  expect(['', 'x', '{}', '{"grid":{"root":3}}'].map(shapeOf)).toEqual([null, null, null, null])
})
