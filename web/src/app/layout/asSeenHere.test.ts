import type { SerializedDockview } from 'dockview-react'
import { expect, it } from 'vitest'
import { asSeenHere } from './asSeenHere'

/** Two frames beside each other: `left` with two tabs, `right` with one. */
const theirs: SerializedDockview = JSON.parse(`{
  "grid": {
    "root": { "type": "branch", "data": [
      { "type": "leaf", "size": 300, "data": { "id": "left", "views": ["main", "qa"], "activeView": "qa" } },
      { "type": "leaf", "size": 700, "data": { "id": "right", "views": ["ops"], "activeView": "ops" } }
    ] },
    "width": 1000, "height": 600, "orientation": "HORIZONTAL", "maximizedNode": { "location": [0] }
  },
  "panels": {}, "activeGroup": "right"
}`)

const fronts = ({ grid }: SerializedDockview) =>
  [grid.root.data].flat().map((node) => ('data' in node && 'views' in node.data ? node.data.activeView : undefined))

it('keeps the tab in front that was in front here, and the cell in use', () => {
  const seen = asSeenHere(theirs, { inFront: new Set(['main', 'ops']), active: 'main' })

  expect(fronts(seen)).toEqual(['main', 'ops'])
  expect(seen.activeGroup).toBe('left')
})

it('prefers the cell in use where two that were in front now share a frame', () => {
  const seen = asSeenHere(theirs, { inFront: new Set(['main', 'qa']), active: 'qa' })

  expect(fronts(seen)[0]).toBe('qa')
})

it('takes over what is not known here, with the sizes, but nothing maximised', () => {
  const seen = asSeenHere(theirs, { inFront: new Set(['gone']), active: 'gone' })

  expect(fronts(seen)).toEqual(['qa', 'ops'])
  expect(seen.activeGroup).toBe('right')
  expect(seen.grid).not.toHaveProperty('maximizedNode')
  expect(seen.grid.width).toBe(1000)
})
