/** The grid of one project: restores and saves its layout, and carries out what lists, menus and keys ask of it. */

import type { DockviewApi, IDockviewPanel, SerializedDockview } from 'dockview-react'
import { debounce } from '../lib/debounce'
import { Owned } from '../lib/lifecycle'
import { uuid } from '../lib/uuid'
import { agentStore } from '../state/agents'
import { cellOf, cellStore, focusCell, placeCell, removeCell } from '../state/cells'
import { clearLaunch } from '../state/launch'
import { whenSaveIsDue } from '../state/layouts'
import { postFailure, postNotice } from '../state/notices'
import { projectStore } from '../state/project'
import { selectionStore } from '../state/selection'
import { api } from '../wire/api'
import { isUnreached } from '../wire/outcome'
import type { Cell, Layout, LayoutContent } from '../wire/shapes'
import type { Words } from '../words/en'
import { Arrangement, type Side, viewOf } from './Arrangement'
import { asSeenHere } from './asSeenHere'
import { CellKeyboard } from './CellKeyboard'
import { changesBetween, type LayoutChanges, type LayoutState } from './layoutChanges'
import { isSameShape, type Shape, shapeOf } from './layoutShape'

const SAVE_AFTER_MS = 600
/** This page, so that it does not apply its own saving twice. */
const ORIGIN = uuid()

/** Counted, so that an answer to a save of an earlier one is known as such. */
interface Base extends LayoutState {
  number: number
}

interface DueSave {
  layout: LayoutContent
  state: LayoutState
  version: string
  base: number
}

export class GridController {
  readonly #grid: DockviewApi
  readonly #projectId: string
  readonly #words: () => Words
  readonly #arrangement: Arrangement
  readonly #keyboard = new CellKeyboard()
  readonly #owned = new Owned()
  readonly #saveSoon = debounce(() => {
    this.#saving = this.#save()
  }, SAVE_AFTER_MS)
  #saving: Promise<void> = Promise.resolve()
  /** Which of the project's layouts is shown. */
  #name = ''
  /** What the server is known to have, and its version: what is here besides is still to be saved. */
  #base: Base = { cells: [], shape: null, number: 0 }
  #version = ''
  /** As it was looked at last; what is told again is not taken again. */
  #seen: Layout | null = null
  /** Beside which cell each was made here, to make it there again. */
  readonly #places = new Map<string, { side: Side | undefined; besides: string | undefined }>()
  #savedShape: Shape | null = null
  #savedCells = ''
  #isRestoring = false
  /** Nobody arranged anything yet: new agents join by themselves. */
  #isDefault = false

  /** `words`: in the language of that moment. */
  constructor(grid: DockviewApi, projectId: string, words: () => Words) {
    this.#grid = grid
    this.#projectId = projectId
    this.#words = words
    this.#arrangement = new Arrangement(grid, projectId, words)
    const layout = projectStore.getState().get(projectId)?.layout ?? { name: '', geometry: '', cells: [], version: '' }
    // Before the grid begins, which turns to a cell of its own choice.
    const { agentId } = selectionStore.getState()
    this.#restore(layout)
    this.#seen = layout
    this.#owned.add(() => this.#saveSoon.flush())
    this.#owned.add(whenSaveIsDue(() => this.#saveNow()))
    this.#owned.add(this.#keyboard)
    this.#owned.add(grid.onDidLayoutChange(() => this.#changed()))
    this.#owned.add(grid.onDidRemovePanel((panel) => this.#removed(panel)))
    this.#owned.add(grid.onDidActivePanelChange(({ panel }) => this.#focused(panel)))
    this.#owned.add(cellStore.subscribe(() => this.#changed()))
    this.#owned.add(projectStore.subscribe(() => this.#takeOthers()))
    this.#owned.add(agentStore.subscribe(() => this.#takeNewAgents()))
    this.#focused(this.#panelOf(agentId) ?? grid.activePanel)
  }

  /** Of the agent that the person already chose, in a list or before the window was made wide. */
  #panelOf(agentId: string | null): IDockviewPanel | undefined {
    const cell = agentId === null ? undefined : cellOf(cellStore.getState().byNode, agentId)
    const panel = cell === undefined ? undefined : this.#grid.getPanel(cell.nodeId)
    panel?.api.setActive()
    return panel
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
    if (free === undefined) this.#add(nodeId, this.#arrangement.roomBeside(), this.#grid.activePanel?.id)
    this.focus(nodeId)
  }

  focus(nodeId: string): void {
    const panel = this.#grid.getPanel(nodeId)
    if (panel === undefined) return
    if (this.#grid.hasMaximizedGroup() && !panel.api.isMaximized()) this.#grid.exitMaximizedGroup()
    panel.api.setActive()
    focusCell(nodeId)
    this.#keyboard.goTo(panel)
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

  #add(nodeId: string, side: Side | undefined, besides: string | undefined): void {
    this.#places.set(nodeId, { side, besides })
    this.#arrangement.add(nodeId, side, besides)
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

  #restore(layout: Layout): void {
    this.#name = layout.name
    this.#quietly(() => {
      this.#takeCells(layout.cells)
      this.#isDefault = shapeOf(layout.geometry) === null || !this.#readGeometry(layout.geometry)
      if (!this.#isDefault) return
      // Of the present layout, or what there is of one that could not be read to its end.
      this.#grid.clear()
      this.#arrangement.begin()
    })
    this.#takeBase(layout.version)
  }

  /** What is shown is what the server has. */
  #takeBase(version: string): void {
    this.#version = version
    this.#base = { ...this.#state(), number: this.#base.number + 1 }
  }

  #state(): LayoutState {
    return { cells: [...cellStore.getState().byNode.values()], shape: this.#present().shape }
  }

  /** The person stays in the same cell as long as there is one. */
  #takeCells(cells: readonly Cell[]): void {
    const byNode = new Map(cells.map((cell) => [cell.nodeId, cell]))
    cellStore.setState(({ focused }) => ({ byNode, focused: byNode.has(focused ?? '') ? focused : null }))
  }

  #readGeometry(geometry: string): boolean {
    try {
      const serialized: SerializedDockview = JSON.parse(geometry)
      const inFront = new Set(this.#grid.groups.flatMap(({ activePanel }) => activePanel?.id ?? []))
      const sight = { inFront, active: this.#grid.activePanel?.id }
      this.#grid.fromJSON(inFront.size === 0 ? serialized : asSeenHere(serialized, sight), {
        reuseExistingPanels: true,
      })
      return true
    } catch {
      // Written by another version of the grid: the default is better than an empty page.
      return false
    }
  }

  /** Changes that nobody made here: they are not saved, and nothing is detached. */
  #quietly(change: () => void): void {
    this.#isRestoring = true
    const maximised = this.#grid.panels.find((panel) => panel.api.isMaximized())?.id
    try {
      change()
      if (maximised !== undefined) this.#grid.getPanel(maximised)?.api.maximize()
      this.#remember()
    } finally {
      this.#isRestoring = false
    }
  }

  #takeNewAgents(): void {
    if (!this.#isDefault || this.#isRestoring || !this.#arrangement.hasRoomForMissing()) return
    this.#quietly(() => this.#arrangement.addMissing())
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

  #saveNow(): Promise<void> {
    this.#saveSoon.flush()
    return this.#saving
  }

  /** What is here now is sent when the save before it is answered. */
  #save(): Promise<void> {
    const { geometry } = this.#present()
    this.#remember()
    const state = this.#state()
    const layout = { name: this.#name, geometry, cells: [...state.cells] }
    const due = { layout, state, version: this.#version, base: this.#base.number }
    return this.#saving.then(() => this.#send(due))
  }

  async #send({ layout, state, version, base }: DueSave): Promise<void> {
    const isOfPresent = () => this.#base.number === base
    // The save before this one may have made another version of the same.
    const result = await api.saveLayout(this.#projectId, layout, isOfPresent() ? this.#version : version, ORIGIN)
    if (result.ok) {
      if (!isOfPresent()) return
      this.#version = result.value.version
      this.#base = { ...state, number: base }
      return
    }
    if (result.failure.fields.why === 'layoutChanged') return isOfPresent() ? this.#redo() : undefined
    // While offline the next change saves again; the banner already says that the connection is lost. A layout that
    // somebody renamed or deleted meanwhile is none any more, and the page is told so.
    if (isUnreached(result.failure) || result.failure.code === 'NOT_FOUND') return
    postFailure(this.#words().cell.layoutNotSaved, result.failure)
  }

  #takeOthers(): void {
    const project = projectStore.getState().get(this.#projectId)
    if (project === undefined || project.layout === this.#seen) return
    const { layout } = project
    this.#seen = layout
    const isOther = layout.name !== this.#name
    if (!isOther && (project.layoutOrigin === '' || project.layoutOrigin === ORIGIN)) return
    const theirs = { cells: layout.cells, shape: shapeOf(layout.geometry) }
    const present = this.#state()
    if (isSame(theirs, present)) {
      this.#name = layout.name
      this.#saveSoon.cancel()
      this.#remember()
      return this.#takeBase(layout.version)
    }
    // Another one is shown: what was changed in the one before is not lost for it.
    if (isOther) {
      this.#saveSoon.flush()
      return this.#restore(layout)
    }
    this.#saveSoon.cancel()
    this.#rebase(layout, changesBetween(this.#base, present))
  }

  /** The server has a newer layout than the one that was changed here: it is known already, or about to be told. */
  #redo(): void {
    const layout = projectStore.getState().get(this.#projectId)?.layout
    if (layout === undefined || layout.name !== this.#name || layout.version === this.#version) return
    this.#rebase(layout, changesBetween(this.#base, this.#state()))
  }

  /** Shows the newer one, and does again there what was done here. */
  #rebase(layout: Layout, own: LayoutChanges): void {
    if (isSameShape(shapeOf(layout.geometry), this.#present().shape)) {
      this.#quietly(() => this.#takeCells(layout.cells))
      this.#takeBase(layout.version)
    } else this.#restore(layout)
    for (const nodeId of own.closed) this.closeCell(nodeId)
    for (const { nodeId, agentId, view } of own.added) {
      const place = this.#places.get(nodeId)
      placeCell(nodeId, agentId, view)
      if (this.#grid.getPanel(nodeId) === undefined) this.#add(nodeId, place?.side, place?.besides)
    }
    for (const { nodeId, agentId, view } of own.changed) {
      if (this.#grid.getPanel(nodeId) !== undefined) placeCell(nodeId, agentId, view)
    }
    const { moveUndone, moveUndoneDetail } = this.#words().cell
    if (own.isMoveOnly) postNotice('warn', moveUndone, moveUndoneDetail)
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

function isSame(one: LayoutState, other: LayoutState): boolean {
  return JSON.stringify(one.cells) === JSON.stringify(other.cells) && isSameShape(one.shape, other.shape)
}
