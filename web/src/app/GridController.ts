/** The grid of one project: restores and saves its layout, and carries out what lists, menus and keys ask of it. */

import type { DockviewApi, IDockviewPanel, SerializedDockview } from 'dockview-react'
import { debounce } from '../lib/debounce'
import { Owned } from '../lib/lifecycle'
import { uuid } from '../lib/uuid'
import { agentStore, type ProjectAgent } from '../state/agents'
import { cellOf, cellStore, focusCell, placeCell, removeCell } from '../state/cells'
import { clearLaunch } from '../state/launch'
import { postFailure } from '../state/notices'
import { projectStore } from '../state/project'
import { selectionStore } from '../state/selection'
import { viewFor } from '../state/viewFor'
import { api } from '../wire/api'
import type { Layout, View } from '../wire/shapes'
import type { Words } from '../words/en'
import { cellTitle } from './cell/useCellTitle'
import { isSameShape, type Shape, shapeOf } from './layoutShape'

const SAVE_AFTER_MS = 600
const STACKED_BY_DEFAULT = 3
const LEAST_WIDTH_PX = 240
const LEAST_HEIGHT_PX = 120
const ROOMY_WIDTH_PX = 400
const ROOMY_HEIGHT_PX = 260
/** Below this a split would leave cells that nobody can read. */
const FOCUS_FRAMES = 30
/** A new cell is empty for a few frames; one that stays empty has nothing to type into. */

/** This page, so that it does not apply its own saving twice. */
const ORIGIN = uuid()

export type Side = 'right' | 'below'

export class GridController {
  readonly #grid: DockviewApi
  readonly #projectId: string
  readonly #words: () => Words
  readonly #owned = new Owned()
  readonly #saveSoon = debounce(() => void this.#save(), SAVE_AFTER_MS)
  #savedShape: Shape | null = null
  #savedCells = ''
  #isRestoring = false
  #focusing = 0
  /** Nobody arranged anything yet: new agents join by themselves. */
  #isDefault = false

  /** `words`: in the language of that moment. */
  constructor(grid: DockviewApi, projectId: string, words: () => Words) {
    this.#grid = grid
    this.#projectId = projectId
    this.#words = words
    const layout = projectStore.getState().get(projectId)?.layout ?? { geometry: '', cells: [] }
    this.#restore(layout)
    this.#owned.add(() => this.#saveSoon.flush())
    this.#owned.add(() => cancelAnimationFrame(this.#focusing))
    this.#owned.add(grid.onDidLayoutChange(() => this.#changed()))
    this.#owned.add(grid.onDidRemovePanel((panel) => this.#removed(panel)))
    this.#owned.add(grid.onDidActivePanelChange(({ panel }) => this.#focused(panel)))
    this.#owned.add(cellStore.subscribe(() => this.#changed()))
    this.#owned.add(projectStore.subscribe(() => this.#takeOthers()))
    this.#owned.add(agentStore.subscribe(() => this.#takeNewAgents()))
    this.#focused(grid.activePanel)
  }

  close(): void {
    this.#owned.close()
  }

  /** Goes to the agent's cell; without one it takes a free cell, else a new one beside the present. */
  showAgent(agentId: string): void {
    const cell = cellOf(cellStore.getState().byNode, agentId)
    if (cell !== undefined) return this.focus(cell.nodeId)
    const free = [...cellStore.getState().byNode.values()].find((one) => one.agentId === null)
    const nodeId = free?.nodeId ?? uuid()
    placeCell(nodeId, agentId, viewOf(agentId))
    if (free === undefined) this.#add(nodeId, this.#roomBeside())
    this.focus(nodeId)
  }

  focus(nodeId: string): void {
    const panel = this.#grid.getPanel(nodeId)
    if (panel === undefined) return
    if (this.#grid.hasMaximizedGroup() && !panel.api.isMaximized()) this.#grid.exitMaximizedGroup()
    panel.api.setActive()
    focusCell(nodeId)
    this.#typeInto(panel)
  }

  focusNth(index: number): void {
    const panel = this.#grid.groups[index]?.activePanel
    if (panel !== undefined) this.focus(panel.id)
  }

  /** A free cell beside `nodeId`, or the first one. */
  split(nodeId: string | null, side: Side): void {
    const added = uuid()
    placeCell(added, null, 'chat')
    this.#add(added, side, nodeId ?? undefined)
    this.focus(added)
  }

  /** The keyboard goes along: to the composer or the terminal, else to what can be chosen there or in its header. */
  #typeInto(panel: IDockviewPanel, patience = FOCUS_FRAMES): void {
    // After the cell is drawn, and after a menu that was open gave the focus back.
    cancelAnimationFrame(this.#focusing)
    this.#focusing = requestAnimationFrame(() => {
      const { element } = panel.view.content
      if (element.contains(document.activeElement)) return
      const target =
        placeToType(element) ?? (element.querySelector('.blank') && panel.group.element.querySelector('.pick'))
      if (target instanceof HTMLElement) target.focus({ preventScroll: true })
      if (target !== document.activeElement && patience > 0) this.#typeInto(panel, patience - 1)
    })
  }

  closeCell(nodeId: string): void {
    this.#grid.getPanel(nodeId)?.api.close()
  }

  toggleMaximised(nodeId: string): void {
    const panel = this.#grid.getPanel(nodeId)
    if (panel === undefined) return
    if (panel.api.isMaximized()) panel.api.exitMaximized()
    else panel.api.maximize()
  }

  #add(nodeId: string, side: Side | undefined, besides?: string): void {
    const reference = (besides === undefined ? undefined : this.#grid.getPanel(besides)) ?? this.#grid.activePanel
    const position = reference === undefined ? {} : { position: positionOf(reference, side) }
    this.#grid.addPanel({
      id: nodeId,
      component: 'cell',
      title: this.#titleOf(nodeId),
      minimumWidth: LEAST_WIDTH_PX,
      minimumHeight: LEAST_HEIGHT_PX,
      ...position,
    })
  }

  /** From the first moment on: without one, screen readers would hear its id. */
  #titleOf(nodeId: string): string {
    const cell = cellStore.getState().byNode.get(nodeId)
    return cellTitle(agentStore.getState().get(cell?.agentId ?? '')?.name, cell?.view ?? 'chat', this.#words())
  }

  /** Where the present cell leaves a new one enough room; nowhere: it becomes a tab. */
  #roomBeside(): Side | undefined {
    const present = this.#grid.activeGroup
    if (present === undefined) return undefined
    if (present.api.width >= 2 * ROOMY_WIDTH_PX) return 'right'
    return present.api.height >= 2 * ROOMY_HEIGHT_PX ? 'below' : undefined
  }

  #restore(layout: Layout): void {
    this.#isRestoring = true
    cellStore.setState({ byNode: new Map(layout.cells.map((cell) => [cell.nodeId, cell])), focused: null })
    const shape = shapeOf(layout.geometry)
    this.#isDefault = shape === null || !this.#readGeometry(layout.geometry)
    if (this.#isDefault) this.#arrangeByDefault()
    this.#remember()
    this.#isRestoring = false
  }

  #readGeometry(geometry: string): boolean {
    try {
      const serialized: SerializedDockview = JSON.parse(geometry)
      this.#grid.fromJSON(serialized)
      return true
    } catch {
      // Written by another version of the grid: the default is better than an empty page.
      this.#grid.clear()
      return false
    }
  }

  /** Main large at the left, up to three others stacked at the right. Ids are the agents', so that every browser agrees. */
  #arrangeByDefault(): void {
    cellStore.setState({ byNode: new Map(), focused: null })
    const agents = this.#agents()
    const main = agents.find((agent) => agent.slug === 'main') ?? agents[0]
    if (main === undefined) return
    this.#place(main, undefined, undefined)
    const others = agents.filter((agent) => agent !== main).slice(0, STACKED_BY_DEFAULT)
    for (const [index, agent] of others.entries()) {
      this.#place(agent, index === 0 ? 'right' : 'below', others[index - 1]?.id ?? main.id)
    }
    this.#evenOut(others)
    this.#grid.getPanel(main.id)?.api.setActive()
  }

  #place(agent: ProjectAgent, side: Side | undefined, besides: string | undefined): void {
    placeCell(agent.id, agent.id, viewOf(agent.id))
    this.#add(agent.id, side, besides)
  }

  #evenOut(stacked: readonly ProjectAgent[]): void {
    const first = stacked[0]
    if (first === undefined) return
    this.#grid.getPanel(first.id)?.api.setSize({ width: Math.round((this.#grid.width * 11) / 23) })
    for (const agent of stacked) {
      this.#grid.getPanel(agent.id)?.api.setSize({ height: Math.round(this.#grid.height / stacked.length) })
    }
  }

  #takeNewAgents(): void {
    if (!this.#isDefault || this.#isRestoring) return
    const shown = cellStore.getState().byNode
    const agents = this.#agents()
    if (agents.length === 0 || shown.size > STACKED_BY_DEFAULT) return
    const missing = agents.filter((agent) => cellOf(shown, agent.id) === undefined)
    if (missing.length === 0) return
    const present = this.#grid.activePanel
    this.#isRestoring = true
    for (const agent of missing.slice(0, STACKED_BY_DEFAULT + 1 - shown.size)) {
      const last = [...cellStore.getState().byNode.keys()].at(-1)
      this.#place(agent, cellStore.getState().byNode.size <= 1 ? 'right' : 'below', last)
    }
    // Where the person is stays where the person is.
    present?.api.setActive()
    this.#remember()
    this.#isRestoring = false
  }

  #agents(): ProjectAgent[] {
    return [...agentStore.getState().values()].filter((agent) => agent.projectId === this.#projectId)
  }

  #changed(): void {
    if (this.#isRestoring) return
    const { shape, cells } = this.#present()
    if (isSameShape(shape, this.#savedShape) && cells === this.#savedCells) return
    this.#isDefault = false
    this.#saveSoon()
  }

  #present(): { geometry: string; shape: Shape | null; cells: string } {
    const geometry = JSON.stringify(this.#grid.toJSON())
    return { geometry, shape: shapeOf(geometry), cells: JSON.stringify([...cellStore.getState().byNode.values()]) }
  }

  #remember(): void {
    const { shape, cells } = this.#present()
    this.#savedShape = shape
    this.#savedCells = cells
  }

  async #save(): Promise<void> {
    const { geometry } = this.#present()
    this.#remember()
    const layout = { geometry, cells: [...cellStore.getState().byNode.values()] }
    const result = await api.saveLayout(this.#projectId, layout, ORIGIN)
    // While offline the next change saves again; the banner already says that the connection is lost.
    if (!result.ok && result.failure.code !== 'OFFLINE') postFailure(this.#words().cell.layoutNotSaved, result.failure)
  }

  #takeOthers(): void {
    const project = projectStore.getState().get(this.#projectId)
    if (project === undefined || project.layoutOrigin === '' || project.layoutOrigin === ORIGIN) return
    const { layout } = project
    const cells = JSON.stringify(layout.cells)
    if (cells === this.#savedCells && isSameShape(shapeOf(layout.geometry), this.#savedShape)) return
    this.#saveSoon.cancel()
    this.#restore(layout)
  }

  #removed(panel: IDockviewPanel): void {
    if (this.#isRestoring) return
    const agentId = cellStore.getState().byNode.get(panel.id)?.agentId
    clearLaunch(panel.id)
    removeCell(panel.id)
    const agent = agentStore.getState().get(agentId ?? '')
    if (agent?.session?.nodeId === panel.id) {
      void api.detach({ project: this.#projectId, agent: agent.id }, panel.id)
    }
  }

  #focused(panel: IDockviewPanel | undefined): void {
    if (panel === undefined || this.#isRestoring) return
    focusCell(panel.id)
    const agentId = cellStore.getState().byNode.get(panel.id)?.agentId ?? null
    if (agentId !== null) selectionStore.setState({ agentId })
  }
}

function placeToType(cell: HTMLElement): HTMLElement | null {
  return cell.querySelector<HTMLElement>('textarea') ?? cell.querySelector<HTMLElement>('button')
}

function positionOf(reference: IDockviewPanel, side: Side | undefined) {
  return side === undefined ? { referencePanel: reference } : { referencePanel: reference, direction: side }
}

function viewOf(agentId: string): View {
  const agent = agentStore.getState().get(agentId)
  return agent === undefined ? 'chat' : viewFor(agent, 'chat')
}
