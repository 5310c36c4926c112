import { createDockview, type DockviewApi } from 'dockview-react'
import { afterEach, beforeEach, vi } from 'vitest'
import { GridController } from '../app/GridController'
import { agentStore } from '../state/agents'
import { cellStore } from '../state/cells'
import { projectStore } from '../state/project'
import { selectionStore } from '../state/selection'
import type { Layout } from '../wire/shapes'
import { en } from '../words/en'
import { agent, project } from './builders'
import { answerWith, type Sent } from './fakeServer'

/** So long after a change it is saved. */
export const SAVED_MS = 1000

export function dock(): DockviewApi {
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

/** The agents in the cells, by the order in which those came. */
export function shown(): (string | null)[] {
  return [...cellStore.getState().byNode.values()].map((cell) => cell.agentId)
}

/** The team is these from now on. */
export function have(...names: string[]): void {
  agentStore.setState(new Map(names.map((name) => [name.toLowerCase(), agent(name)])), true)
}

/** The server tells of a layout. */
export function tell(layout: Layout, layoutOrigin: string): void {
  projectStore.setState(new Map([['p', project({ layout, layoutOrigin })]]), true)
}

class GridHere {
  /** What was sent since the server last got an answer to give. */
  sent: Sent[] = []
  #opened: { grid: DockviewApi; controller: GridController } | null = null

  get grid(): DockviewApi {
    return this.#here.grid
  }

  get controller(): GridController {
    return this.#here.controller
  }

  get #here() {
    if (this.#opened === null) throw new Error('it is not open')
    return this.#opened
  }

  open(layout: Layout = { name: 'default', version: 'v0', geometry: '', cells: [] }): void {
    projectStore.setState(new Map([['p', project({ layout })]]), true)
    const grid = dock()
    this.#opened = { grid, controller: new GridController(grid, 'p', () => en) }
  }

  /** The page that this tab shows next. */
  reload(layout?: Layout): void {
    this.close()
    this.open(layout)
  }

  close(): void {
    this.#opened?.controller.close()
    this.#opened?.grid.dispose()
    this.#opened = null
  }
}

/** The grid of a project with Architect, Main and QA; a page of its own for each test of the suite that calls this. */
export function gridHere(): GridHere {
  const here = new GridHere()
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'requestAnimationFrame', 'cancelAnimationFrame'] })
    here.sent = answerWith({})
    have('Architect', 'Main', 'QA')
    sessionStorage.clear()
    cellStore.setState({ projectId: null, byNode: new Map(), focused: null }, true)
    selectionStore.setState({ page: 'cells', narrow: 'list' })
  })
  afterEach(() => {
    here.close()
    document.body.replaceChildren()
    vi.useRealTimers()
  })
  return here
}
