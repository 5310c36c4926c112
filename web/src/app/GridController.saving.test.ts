// @vitest-environment jsdom
import '../testing/drawnNothing'
import type { SerializedDockview } from 'dockview-react'
import { describe, expect, it, vi } from 'vitest'
import { cellStore, placeCell } from '../state/cells'
import { createLayout } from '../state/layouts'
import { answerWith, sentTo } from '../testing/fakeServer'
import { dock, gridHere, have, SAVED_MS, shown, tell } from '../testing/gridHere'
import type { Cell } from '../wire/shapes'

describe('the grid of a project that others arrange too', () => {
  const here = gridHere()

  it('begins anew each time another browser saves what cannot be read, and goes on', async () => {
    here.open()
    const unreadable = (origin: string, geometry: string) =>
      tell({ name: 'default', version: 'v1', geometry, cells: [] }, origin)

    unreadable('another', '{"grid":3}')
    unreadable('a third', '')
    expect(shown()).toEqual(['main', 'architect', 'qa'])
    expect(here.grid.panels.length).toBe(3)

    // A page that still thought itself restoring would save nothing any more.
    here.controller.split('main', 'right')
    await vi.advanceTimersByTimeAsync(SAVED_MS)
    expect(sentTo(here.sent, '/layout').length).toBe(1)
  })

  it('saves a change once, when it is over', async () => {
    here.open()

    here.controller.split('main', 'right')
    here.controller.split('main', 'below')
    await vi.advanceTimersByTimeAsync(SAVED_MS)

    expect(sentTo(here.sent, '/layout').length).toBe(1)
  })

  it('follows the layout of another browser without saving it back', async () => {
    here.open()
    placeCell('main', 'main', 'chat')
    const geometry = JSON.stringify(here.grid.toJSON())
    here.controller.closeCell('qa')
    await vi.advanceTimersByTimeAsync(SAVED_MS)
    const before = sentTo(here.sent, '/layout').length
    const cells = ['main', 'architect', 'qa'].map((id) => ({ nodeId: id, agentId: id, view: 'chat' as const }))

    tell({ name: 'default', version: 'v1', geometry, cells }, 'another')
    await vi.advanceTimersByTimeAsync(SAVED_MS)

    expect(shown()).toEqual(['main', 'architect', 'qa'])
    expect(here.grid.panels.length).toBe(3)
    expect(sentTo(here.sent, '/layout').length).toBe(before)
  })

  it('keeps what is due of one layout there when another one is shown', async () => {
    here.open()
    here.controller.split('main', 'right')
    const cells = [{ nodeId: 'x', agentId: 'qa', view: 'chat' as const }]
    const review = { name: 'Review', version: 'r', geometry: '', cells }

    tell(review, 'another')
    await vi.advanceTimersByTimeAsync(SAVED_MS)

    expect(sentTo(here.sent, '/layout')).toMatchObject([{ layout: { name: 'default' } }])
    expect(here.grid.panels.length).toBe(3)
  })

  it('saves what is due before a layout is copied or published', async () => {
    here.open()
    here.controller.split('main', 'right')

    await createLayout('p', 'Review')

    expect(here.sent.map(({ path }) => path.split('/').at(-1))).toEqual(['layout', 'layouts'])
  })

  /** Another browser's layout: what was here `before`, and a cell more. */
  function theirs(version: string, before: SerializedDockview, known: readonly Cell[], origin = 'another'): void {
    const other = dock()
    other.fromJSON(before)
    other.addPanel({ id: 'theirs', component: 'cell', position: { referencePanel: 'main', direction: 'below' } })
    const cells = [...known, { nodeId: 'theirs', agentId: null, view: 'chat' as const }]
    tell({ name: 'default', version, geometry: JSON.stringify(other.toJSON()), cells }, origin)
    other.dispose()
  }

  function cellsHere(): Cell[] {
    return [...cellStore.getState().byNode.values()]
  }

  it('does on another browser’s layout what was done here and not saved yet', async () => {
    here.open()
    const before = [here.grid.toJSON(), cellsHere()] as const
    here.controller.split('main', 'right')
    here.controller.closeCell('qa')

    theirs('v1', ...before)
    await vi.advanceTimersByTimeAsync(SAVED_MS)

    expect(shown()).toEqual(['main', 'architect', null, null])
    expect(here.grid.panels.length).toBe(4)
    expect(sentTo(here.sent, '/layout')).toMatchObject([{ base: 'v1', layout: { cells: [{}, {}, {}, {}] } }])
  })

  it('does it again on the newer layout when its save came too late', async () => {
    here.open()
    const before = [here.grid.toJSON(), cellsHere()] as const
    const changed = { code: 'CONFLICT', message: '', advice: '', fields: { why: 'layoutChanged', name: 'default' } }
    here.sent = answerWith(changed, 409)
    here.controller.split('main', 'right')
    await vi.advanceTimersByTimeAsync(SAVED_MS)
    expect(sentTo(here.sent, '/layout')).toMatchObject([{ base: 'v0' }])

    here.sent = answerWith({ version: 'v2' })
    theirs('v1', ...before)
    await vi.advanceTimersByTimeAsync(SAVED_MS)
    here.controller.split('main', 'below')
    await vi.advanceTimersByTimeAsync(SAVED_MS)

    expect(sentTo(here.sent, '/layout')).toMatchObject([{ base: 'v1' }, { base: 'v2' }])
    expect(here.grid.panels.length).toBe(6)
  })

  it('does a move and a size again there, and saves them', async () => {
    here.open()
    const before = [here.grid.toJSON(), cellsHere()] as const
    here.grid.getPanel('main')?.api.setSize({ width: 300 })
    const architect = here.grid.getPanel('architect')
    if (architect !== undefined) here.grid.getPanel('qa')?.api.moveTo({ group: architect.group })

    theirs('v1', ...before)
    expect(here.grid.getPanel('main')?.api.width).toBe(300)
    expect(here.grid.getPanel('qa')?.group).toBe(here.grid.getPanel('architect')?.group)
    expect(here.grid.getPanel('theirs')).toBeDefined()
    await vi.advanceTimersByTimeAsync(SAVED_MS)

    expect(sentTo(here.sent, '/layout')).toMatchObject([{ base: 'v1', layout: { cells: [{}, {}, {}, {}] } }])
  })

  it('notices that what was beside is below', async () => {
    have('Main', 'QA')
    here.open()
    const main = here.grid.getPanel('main')
    if (main !== undefined) here.grid.getPanel('qa')?.api.moveTo({ group: main.group, position: 'bottom' })
    await vi.advanceTimersByTimeAsync(SAVED_MS)

    expect(sentTo(here.sent, '/layout')).toHaveLength(1)
  })

  it('shows what was saved elsewhere while there was no connection, and saves what could not be', async () => {
    here.open()
    const before = [here.grid.toJSON(), cellsHere()] as const
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('no network')))
    here.controller.split('main', 'right')
    await vi.advanceTimersByTimeAsync(SAVED_MS)

    here.sent = answerWith({ version: 'v2' })
    theirs('v1', ...before, '')
    await vi.advanceTimersByTimeAsync(SAVED_MS)
    expect(here.grid.panels.length).toBe(5)
    expect(sentTo(here.sent, '/layout')).toMatchObject([{ base: 'v1' }])

    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('no network')))
    here.controller.closeCell('theirs')
    await vi.advanceTimersByTimeAsync(SAVED_MS)
    here.sent = answerWith({ version: 'v3' })
    // The same as before, told anew.
    tell({ name: 'default', version: 'v2', geometry: '', cells: [] }, '')
    await vi.advanceTimersByTimeAsync(SAVED_MS)
    expect(sentTo(here.sent, '/layout')).toMatchObject([{ base: 'v2' }])
  })
})
