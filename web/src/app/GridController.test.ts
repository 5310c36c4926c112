// @vitest-environment jsdom
import '../testing/drawnNothing'
import { describe, expect, it, vi } from 'vitest'
import { agentStore } from '../state/agents'
import { cellStore, chosenAgent } from '../state/cells'
import { agent } from '../testing/builders'
import { sentTo } from '../testing/fakeServer'
import { gridHere, have, SAVED_MS, shown } from '../testing/gridHere'
import { NarrowPlace } from './NarrowPlace'

const session = { id: 's', kind: 'structured' as const, conversationId: 'c', nodeId: 'qa', startedAtMs: 0, pid: 1 }

describe('the grid of a project', () => {
  const here = gridHere()

  it('begins with Main at the left and the others stacked beside it, and saves nothing of that', async () => {
    here.open()

    expect(shown()).toEqual(['main', 'architect', 'qa'])
    expect(here.grid.activePanel?.id).toBe('main')
    await vi.advanceTimersByTimeAsync(SAVED_MS)
    expect(sentTo(here.sent, '/layout')).toEqual([])
  })

  it('begins where the person was before a reload: the same cell, maximised as it was', () => {
    here.open()
    here.controller.focus('qa')
    here.controller.toggleMaximised('qa')
    here.reload()
    here.reload()

    expect(here.grid.activePanel?.id).toBe('qa')
    expect(chosenAgent(cellStore.getState())).toBe('qa')
    expect(here.grid.getPanel('qa')?.api.isMaximized()).toBe(true)

    here.controller.toggleMaximised('qa')
    here.reload()
    expect(here.grid.getPanel('qa')?.api.isMaximized()).toBe(false)
  })

  it('finds the agent again where its cell has gone', () => {
    here.open()
    here.controller.focus('qa')
    const geometry = JSON.stringify(here.grid.toJSON()).replaceAll('"qa"', '"other"')
    const cells = ['main', 'architect', 'qa'].map((id) => ({
      nodeId: id === 'qa' ? 'other' : id,
      agentId: id,
      view: 'chat' as const,
    }))
    here.reload({ name: 'default', version: 'v1', geometry, cells })

    expect(cellStore.getState().focused).toBe('other')
  })

  it('makes a cell for the agent that was chosen where the page was narrow', async () => {
    here.open()
    have('Architect', 'Main', 'QA', 'Ops', 'Docs')
    here.close()
    const narrow = new NarrowPlace('p')
    narrow.showAgent('docs')
    narrow.dispose()
    here.reload()

    expect(chosenAgent(cellStore.getState())).toBe('docs')
    expect(here.grid.activePanel?.id).toBe(cellStore.getState().focused)
  })

  it('begins anew where the saved geometry cannot be read', () => {
    here.open({
      name: 'default',
      version: 'v0',
      geometry: '{"grid":3}',
      cells: [{ nodeId: 'x', agentId: 'qa', view: 'chat' }],
    })

    expect(shown()).toEqual(['main', 'architect', 'qa'])
  })

  it('goes to the cell of an agent and hands it the keyboard', () => {
    here.open()

    here.controller.showAgent('qa')
    vi.advanceTimersByTime(50)

    expect(cellStore.getState().focused).toBe('qa')
    expect(document.activeElement?.getAttribute('aria-label')).toBe('qa')
    expect(here.grid.panels.length).toBe(3)
  })

  it('shows an agent without a cell in a free one, else in a new one', () => {
    here.open()
    here.controller.split('main', 'below')
    have('Architect', 'Main', 'QA', 'Ops', 'Docs')

    here.controller.showAgent('ops')
    expect(shown()).toEqual(['main', 'architect', 'qa', 'ops'])

    here.controller.showAgent('docs')
    expect(shown()).toEqual(['main', 'architect', 'qa', 'ops', 'docs'])
    expect(here.grid.panels.length).toBe(5)
  })

  it('lets a running agent live on when its cell is closed', async () => {
    here.open()
    agentStore.setState((all) => new Map(all).set('qa', agent('QA', { session })), true)

    here.controller.closeCell('qa')
    await vi.advanceTimersByTimeAsync(0)

    expect(sentTo(here.sent, '/agents/qa/detach')).toEqual([{ nodeId: 'qa' }])
    expect(sentTo(here.sent, '/agents/qa/stop')).toEqual([])
    expect(shown()).toEqual(['main', 'architect'])
  })

  it('detaches nothing that belongs to another cell', async () => {
    here.open()
    agentStore.setState(
      (all) => new Map(all).set('qa', agent('QA', { session: { ...session, nodeId: 'other' } })),
      true,
    )

    here.controller.closeCell('qa')
    await vi.advanceTimersByTimeAsync(0)

    expect(sentTo(here.sent, '/detach')).toEqual([])
  })

  it('makes room for new agents only until somebody arranged something', () => {
    have('Main')
    here.open()
    have('Main', 'QA')
    expect(shown()).toEqual(['main', 'qa'])
    expect(here.grid.activePanel?.id).toBe('main')

    here.controller.closeCell('qa')
    have('Main', 'QA', 'Ops')

    expect(shown()).toEqual(['main'])
  })

  it('gives the keyboard to a cell once there is something to type into, unless the person is elsewhere by then', async () => {
    here.open()
    const qa = here.grid.getPanel('qa')?.view.content.element
    const box = qa?.querySelector('textarea') ?? document.createElement('textarea')
    box.remove()

    here.controller.focus('qa')
    qa?.append(box)
    await vi.advanceTimersByTimeAsync(0)
    expect(document.activeElement).toBe(box)

    box.remove()
    here.controller.focus('qa')
    document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'x', bubbles: true }))
    qa?.append(box)
    await vi.advanceTimersByTimeAsync(0)
    expect(document.activeElement).toBe(document.body)
  })
})
