// @vitest-environment jsdom
import '../testing/drawnNothing'
import { createDockview, type DockviewApi, type SerializedDockview } from 'dockview-react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { agentStore } from '../state/agents'
import { cellStore, chosenAgent, placeCell } from '../state/cells'
import { createLayout } from '../state/layouts'
import { projectStore } from '../state/project'
import { selectionStore } from '../state/selection'
import { agent, project } from '../testing/builders'
import { answerWith, type Sent, sentTo } from '../testing/fakeServer'
import type { Cell, Layout } from '../wire/shapes'
import { en } from '../words/en'
import { GridController } from './GridController'
import { NarrowPlace } from './NarrowPlace'

const SAVED_MS = 1000
const session = { id: 's', kind: 'structured' as const, conversationId: 'c', nodeId: 'qa', startedAtMs: 0, pid: 1 }

function dock(): DockviewApi {
  const host = document.createElement('div')
  document.body.append(host)
  const api = createDockview(host, {
    createComponent: ({ id }) => {
      const element = document.createElement('div')
      element.innerHTML = `<textarea aria-label="${id}"></textarea>`
      return { element, init: () => {} }
    },
  })
  api.layout(1200, 800)
  return api
}

function shown(): (string | null)[] {
  return [...cellStore.getState().byNode.values()].map((cell) => cell.agentId)
}

function have(...names: string[]): void {
  agentStore.setState(new Map(names.map((name) => [name.toLowerCase(), agent(name)])), true)
}

describe('the grid of a project', () => {
  let grid: DockviewApi
  let controller: GridController
  let sent: Sent[]

  function open(
    layout: Layout = {
      name: 'default',
      version: 'v0',
      geometry: '',
      cells: [],
    },
  ): void {
    projectStore.setState(new Map([['p', project({ layout })]]), true)
    grid = dock()
    controller = new GridController(grid, 'p', () => en)
  }

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'requestAnimationFrame', 'cancelAnimationFrame'] })
    sent = answerWith({})
    have('Architect', 'Main', 'QA')
    sessionStorage.clear()
    cellStore.setState({ projectId: null, byNode: new Map(), focused: null }, true)
    selectionStore.setState({ page: 'cells', narrow: 'list' })
  })
  afterEach(() => {
    controller.close()
    grid.dispose()
    document.body.replaceChildren()
    vi.useRealTimers()
  })

  it('begins with Main at the left and the others stacked beside it, and saves nothing of that', async () => {
    open()

    expect(shown()).toEqual(['main', 'architect', 'qa'])
    expect(grid.activePanel?.id).toBe('main')
    await vi.advanceTimersByTimeAsync(SAVED_MS)
    expect(sentTo(sent, '/layout')).toEqual([])
  })

  it('begins where the person was before a reload: the same cell, maximised as it was', () => {
    open()
    controller.focus('qa')
    controller.toggleMaximised('qa')
    reload()
    reload()

    expect(grid.activePanel?.id).toBe('qa')
    expect(chosenAgent(cellStore.getState())).toBe('qa')
    expect(grid.getPanel('qa')?.api.isMaximized()).toBe(true)

    controller.toggleMaximised('qa')
    reload()
    expect(grid.getPanel('qa')?.api.isMaximized()).toBe(false)
  })

  it('finds the agent again where its cell has gone', () => {
    open()
    controller.focus('qa')
    const geometry = JSON.stringify(grid.toJSON()).replaceAll('"qa"', '"other"')
    const cells = ['main', 'architect', 'qa'].map((id) => ({
      nodeId: id === 'qa' ? 'other' : id,
      agentId: id,
      view: 'chat' as const,
    }))
    reload({ name: 'default', version: 'v1', geometry, cells })

    expect(cellStore.getState().focused).toBe('other')
  })

  it('makes a cell for the agent that was chosen where the page was narrow', async () => {
    open()
    have('Architect', 'Main', 'QA', 'Ops', 'Docs')
    controller.close()
    const narrow = new NarrowPlace('p')
    narrow.showAgent('docs')
    narrow.dispose()
    reload()

    expect(chosenAgent(cellStore.getState())).toBe('docs')
    expect(grid.activePanel?.id).toBe(cellStore.getState().focused)
  })

  /** The page that this tab shows next. */
  function reload(layout?: Layout): void {
    controller.close()
    grid.dispose()
    open(layout)
  }

  it('begins anew where the saved geometry cannot be read', () => {
    open({
      name: 'default',
      version: 'v0',
      geometry: '{"grid":3}',
      cells: [{ nodeId: 'x', agentId: 'qa', view: 'chat' }],
    })

    expect(shown()).toEqual(['main', 'architect', 'qa'])
  })

  it('begins anew each time another browser saves what cannot be read, and goes on', async () => {
    open()
    const unreadable = (origin: string, geometry: string) =>
      projectStore.setState(
        new Map([
          ['p', project({ layout: { name: 'default', version: 'v1', geometry, cells: [] }, layoutOrigin: origin })],
        ]),
        true,
      )

    unreadable('another', '{"grid":3}')
    unreadable('a third', '')
    expect(shown()).toEqual(['main', 'architect', 'qa'])
    expect(grid.panels.length).toBe(3)

    // A page that still thought itself restoring would save nothing any more.
    controller.split('main', 'right')
    await vi.advanceTimersByTimeAsync(SAVED_MS)
    expect(sentTo(sent, '/layout').length).toBe(1)
  })

  it('goes to the cell of an agent and hands it the keyboard', () => {
    open()

    controller.showAgent('qa')
    vi.advanceTimersByTime(50)

    expect(cellStore.getState().focused).toBe('qa')
    expect(document.activeElement?.getAttribute('aria-label')).toBe('qa')
    expect(grid.panels.length).toBe(3)
  })

  it('shows an agent without a cell in a free one, else in a new one', () => {
    open()
    controller.split('main', 'below')
    have('Architect', 'Main', 'QA', 'Ops', 'Docs')

    controller.showAgent('ops')
    expect(shown()).toEqual(['main', 'architect', 'qa', 'ops'])

    controller.showAgent('docs')
    expect(shown()).toEqual(['main', 'architect', 'qa', 'ops', 'docs'])
    expect(grid.panels.length).toBe(5)
  })

  it('saves a change once, when it is over', async () => {
    open()

    controller.split('main', 'right')
    controller.split('main', 'below')
    await vi.advanceTimersByTimeAsync(SAVED_MS)

    expect(sentTo(sent, '/layout').length).toBe(1)
  })

  it('lets a running agent live on when its cell is closed', async () => {
    open()
    agentStore.setState((all) => new Map(all).set('qa', agent('QA', { session })), true)

    controller.closeCell('qa')
    await vi.advanceTimersByTimeAsync(0)

    expect(sentTo(sent, '/agents/qa/detach')).toEqual([{ nodeId: 'qa' }])
    expect(sentTo(sent, '/agents/qa/stop')).toEqual([])
    expect(shown()).toEqual(['main', 'architect'])
  })

  it('detaches nothing that belongs to another cell', async () => {
    open()
    agentStore.setState(
      (all) => new Map(all).set('qa', agent('QA', { session: { ...session, nodeId: 'other' } })),
      true,
    )

    controller.closeCell('qa')
    await vi.advanceTimersByTimeAsync(0)

    expect(sentTo(sent, '/detach')).toEqual([])
  })

  it('follows the layout of another browser without saving it back', async () => {
    open()
    placeCell('main', 'main', 'chat')
    const geometry = JSON.stringify(grid.toJSON())
    controller.closeCell('qa')
    await vi.advanceTimersByTimeAsync(SAVED_MS)
    const before = sentTo(sent, '/layout').length
    const cells = ['main', 'architect', 'qa'].map((id) => ({ nodeId: id, agentId: id, view: 'chat' as const }))

    projectStore.setState(
      new Map([
        ['p', project({ layout: { name: 'default', version: 'v1', geometry, cells }, layoutOrigin: 'another' })],
      ]),
      true,
    )
    await vi.advanceTimersByTimeAsync(SAVED_MS)

    expect(shown()).toEqual(['main', 'architect', 'qa'])
    expect(grid.panels.length).toBe(3)
    expect(sentTo(sent, '/layout').length).toBe(before)
  })

  it('makes room for new agents only until somebody arranged something', () => {
    have('Main')
    open()
    have('Main', 'QA')
    expect(shown()).toEqual(['main', 'qa'])
    expect(grid.activePanel?.id).toBe('main')

    controller.closeCell('qa')
    have('Main', 'QA', 'Ops')

    expect(shown()).toEqual(['main'])
  })

  it('keeps what is due of one layout there when another one is shown', async () => {
    open()
    controller.split('main', 'right')
    const cells = [{ nodeId: 'x', agentId: 'qa', view: 'chat' as const }]
    const review = { name: 'Review', version: 'r', geometry: '', cells }

    projectStore.setState(new Map([['p', project({ layout: review, layoutOrigin: 'another' })]]), true)
    await vi.advanceTimersByTimeAsync(SAVED_MS)

    expect(sentTo(sent, '/layout')).toMatchObject([{ layout: { name: 'default' } }])
    expect(grid.panels.length).toBe(3)
  })

  it('saves what is due before a layout is copied or published', async () => {
    open()
    controller.split('main', 'right')

    await createLayout('p', 'Review')

    expect(sent.map(({ path }) => path.split('/').at(-1))).toEqual(['layout', 'layouts'])
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

  function tell(layout: Layout, layoutOrigin: string): void {
    projectStore.setState(new Map([['p', project({ layout, layoutOrigin })]]), true)
  }

  it('does on another browser’s layout what was done here and not saved yet', async () => {
    open()
    const before = [grid.toJSON(), cellsHere()] as const
    controller.split('main', 'right')
    controller.closeCell('qa')

    theirs('v1', ...before)
    await vi.advanceTimersByTimeAsync(SAVED_MS)

    expect(shown()).toEqual(['main', 'architect', null, null])
    expect(grid.panels.length).toBe(4)
    expect(sentTo(sent, '/layout')).toMatchObject([{ base: 'v1', layout: { cells: [{}, {}, {}, {}] } }])
  })

  it('does it again on the newer layout when its save came too late', async () => {
    open()
    const before = [grid.toJSON(), cellsHere()] as const
    const changed = { code: 'CONFLICT', message: '', advice: '', fields: { why: 'layoutChanged', name: 'default' } }
    sent = answerWith(changed, 409)
    controller.split('main', 'right')
    await vi.advanceTimersByTimeAsync(SAVED_MS)
    expect(sentTo(sent, '/layout')).toMatchObject([{ base: 'v0' }])

    sent = answerWith({ version: 'v2' })
    theirs('v1', ...before)
    await vi.advanceTimersByTimeAsync(SAVED_MS)
    controller.split('main', 'below')
    await vi.advanceTimersByTimeAsync(SAVED_MS)

    expect(sentTo(sent, '/layout')).toMatchObject([{ base: 'v1' }, { base: 'v2' }])
    expect(grid.panels.length).toBe(6)
  })

  it('does a move and a size again there, and saves them', async () => {
    open()
    const before = [grid.toJSON(), cellsHere()] as const
    grid.getPanel('main')?.api.setSize({ width: 300 })
    const architect = grid.getPanel('architect')
    if (architect !== undefined) grid.getPanel('qa')?.api.moveTo({ group: architect.group })

    theirs('v1', ...before)
    expect(grid.getPanel('main')?.api.width).toBe(300)
    expect(grid.getPanel('qa')?.group).toBe(grid.getPanel('architect')?.group)
    expect(grid.getPanel('theirs')).toBeDefined()
    await vi.advanceTimersByTimeAsync(SAVED_MS)

    expect(sentTo(sent, '/layout')).toMatchObject([{ base: 'v1', layout: { cells: [{}, {}, {}, {}] } }])
  })

  it('notices that what was beside is below', async () => {
    have('Main', 'QA')
    open()
    const main = grid.getPanel('main')
    if (main !== undefined) grid.getPanel('qa')?.api.moveTo({ group: main.group, position: 'bottom' })
    await vi.advanceTimersByTimeAsync(SAVED_MS)

    expect(sentTo(sent, '/layout')).toHaveLength(1)
  })

  it('shows what was saved elsewhere while there was no connection, and saves what could not be', async () => {
    open()
    const before = [grid.toJSON(), cellsHere()] as const
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('no network')))
    controller.split('main', 'right')
    await vi.advanceTimersByTimeAsync(SAVED_MS)

    sent = answerWith({ version: 'v2' })
    theirs('v1', ...before, '')
    await vi.advanceTimersByTimeAsync(SAVED_MS)
    expect(grid.panels.length).toBe(5)
    expect(sentTo(sent, '/layout')).toMatchObject([{ base: 'v1' }])

    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('no network')))
    controller.closeCell('theirs')
    await vi.advanceTimersByTimeAsync(SAVED_MS)
    sent = answerWith({ version: 'v3' })
    // The same as before, told anew.
    tell({ name: 'default', version: 'v2', geometry: '', cells: [] }, '')
    await vi.advanceTimersByTimeAsync(SAVED_MS)
    expect(sentTo(sent, '/layout')).toMatchObject([{ base: 'v2' }])
  })

  it('gives the keyboard to a cell once there is something to type into, unless the person is elsewhere by then', async () => {
    open()
    const qa = grid.getPanel('qa')?.view.content.element
    const box = qa?.querySelector('textarea') ?? document.createElement('textarea')
    box.remove()

    controller.focus('qa')
    qa?.append(box)
    await vi.advanceTimersByTimeAsync(0)
    expect(document.activeElement).toBe(box)

    box.remove()
    controller.focus('qa')
    document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'x', bubbles: true }))
    qa?.append(box)
    await vi.advanceTimersByTimeAsync(0)
    expect(document.activeElement).toBe(document.body)
  })
})
