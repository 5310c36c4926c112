/** The grid of one project: shows its layout, and carries out what lists, menus and keys ask of it. */

import type {
  DockviewApi,
  DockviewWillShowOverlayLocationEvent,
  IDockviewPanel,
  SerializedDockview,
} from 'dockview-react'
import { Owned } from '../lib/lifecycle'
import { uuid } from '../lib/uuid'
import { agentStore } from '../state/agents'
import { cellOf, cellStore, chosenAgent, focusCell, placeCell, removeCell, takeCells } from '../state/cells'
import { clearLaunch } from '../state/launch'
import { cellAt, keepPlace, type Place, placeIn } from '../state/places'
import { projectStore } from '../state/project'
import { selectionStore, showCells } from '../state/selection'
import { focusWhenThere } from '../ui/focusWhenThere'
import { api } from '../wire/api'
import type { Words } from '../words/en'
import { Arrangement, type Side, viewOf } from './Arrangement'
import { asSeenHere } from './layout/asSeenHere'
import { LayoutSaving } from './layout/LayoutSaving'
import type { Arranged } from './layout/layoutMerge'
import { treeOf } from './layout/layoutTree'
import { placeToType } from './placeToType'

export class GridController {
  readonly #grid: DockviewApi
  readonly #projectId: string
  readonly #arrangement: Arrangement
  readonly #saving: LayoutSaving
  readonly #owned = new Owned()
  #isRestoring = false
  /** Nobody arranged anything yet: new agents join by themselves. */
  #isDefault = false
  #stopWaiting = () => {}

  /** `words`: in the language of that moment. */
  constructor(grid: DockviewApi, projectId: string, words: () => Words) {
    this.#grid = grid
    this.#projectId = projectId
    this.#arrangement = new Arrangement(grid, projectId, words)
    const layout = projectStore.getState().get(projectId)?.layout ?? { name: '', geometry: '', cells: [], version: '' }
    const chosen = chosenIn(projectId)
    const place = placeIn(projectId)
    this.#show(layout)
    this.#comeBack(place)
    this.#saving = new LayoutSaving(
      { projectId, words, present: () => this.#present(), show: (arranged) => this.#show(arranged) },
      layout,
    )
    this.#owned.add(() => this.#saving.close())
    this.#owned.add(() => this.#stopWaiting())
    // First: the grid tells at once which cell is in use.
    this.#owned.add(cellStore.subscribe(() => this.#keepPlace()))
    this.#owned.add(grid.onDidLayoutChange(() => this.#changed()))
    this.#owned.add(grid.onDidRemovePanel((panel) => this.#removed(panel)))
    this.#owned.add(grid.onDidActivePanelChange(({ panel }) => this.#focused(panel)))
    this.#owned.add(grid.onWillShowOverlay((drag) => this.#refuseTooSmall(drag)))
    this.#owned.add(grid.onDidMaximizedGroupChange(() => this.#keepMaximised()))
    this.#owned.add(cellStore.subscribe(() => this.#changed()))
    this.#owned.add(agentStore.subscribe(() => this.#takeNewAgents()))
    this.#focused(grid.activePanel)
    // Where the page was narrow; nobody saw yet that it has no cell.
    if (chosen !== null && cellOf(cellStore.getState().byNode, chosen) === undefined) this.showAgent(chosen)
  }

  close(): void {
    this.#owned.close()
  }

  /** Where the person was before a reload, or before the window was made wide. */
  #comeBack(place: Place): void {
    this.#grid.getPanel(cellAt(place) ?? '')?.api.setActive()
    const maximised = this.#grid.getPanel(place.maximised ?? '')
    if (maximised !== undefined && maximised.group === this.#grid.activeGroup) maximised.api.maximize()
  }

  /** Goes to the agent's cell; without one it takes a free cell, else a new one beside the present. */
  showAgent(agentId: string): void {
    const cell = cellOf(cellStore.getState().byNode, agentId)
    if (cell !== undefined) return this.focus(cell.nodeId)
    const free = [...cellStore.getState().byNode.values()].find((one) => one.agentId === null)
    const nodeId = free?.nodeId ?? uuid()
    placeCell(nodeId, agentId, viewOf(agentId))
    if (free === undefined) {
      this.#arrangement.add(nodeId, this.#arrangement.roomBeside(), this.#grid.activePanel?.id)
    }
    this.focus(nodeId)
  }

  focus(nodeId: string): void {
    const panel = this.#grid.getPanel(nodeId)
    if (panel === undefined) return
    if (this.#grid.hasMaximizedGroup() && !panel.api.isMaximized()) this.#grid.exitMaximizedGroup()
    panel.api.setActive()
    focusCell(nodeId)
    this.#stopWaiting()
    this.#stopWaiting = focusWhenThere(() => placeToType(panel))
  }

  focusNth(index: number): void {
    const panel = this.#grid.groups[index]?.activePanel
    if (panel !== undefined) this.focus(panel.id)
  }

  /** A maximised cell has its own size again when it is split: whether that is enough shows then. */
  canSplit(nodeId: string, side: Side): boolean {
    const panel = this.#grid.getPanel(nodeId)
    return panel === undefined || panel.api.isMaximized() || this.#arrangement.hasRoomToSplit(panel.group.api, side)
  }

  /** A free cell beside `nodeId`, or the first one. Nothing where there is no room for it. */
  split(nodeId: string | null, side: Side): void {
    if (this.#grid.hasMaximizedGroup()) this.#grid.exitMaximizedGroup()
    if (nodeId !== null && !this.canSplit(nodeId, side)) return
    const added = uuid()
    placeCell(added, null, 'chat')
    this.#arrangement.add(added, side, nodeId ?? undefined)
    this.focus(added)
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

  #show(arranged: Arranged): void {
    this.#quietly(() => {
      takeCells(this.#projectId, arranged.cells)
      this.#isDefault = treeOf(arranged.geometry) === null || !this.#readGeometry(arranged.geometry)
      if (!this.#isDefault) return
      // Of the present layout, or what there is of one that could not be read to its end.
      this.#grid.clear()
      this.#arrangement.begin()
    })
    this.#keepPlace()
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
      focusCell(this.#grid.activePanel?.id ?? null)
      if (maximised !== undefined) this.#grid.getPanel(maximised)?.api.maximize()
    } finally {
      this.#isRestoring = false
    }
  }

  #takeNewAgents(): void {
    if (!this.#isDefault || this.#isRestoring || !this.#arrangement.hasRoomForMissing()) return
    this.#quietly(() => this.#arrangement.addMissing())
    this.#saving.remember()
  }

  #changed(): void {
    if (!this.#isRestoring && this.#saving.noteChange()) this.#isDefault = false
  }

  #present(): Arranged {
    return { geometry: JSON.stringify(this.#grid.toJSON()), cells: [...cellStore.getState().byNode.values()] }
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
    if (selectionStore.getState().page === 'cells') showCells()
  }

  #keepPlace(): void {
    const cells = cellStore.getState()
    if (!this.#isRestoring && cells.focused !== null) {
      keepPlace(this.#projectId, { nodeId: cells.focused, agentId: chosenAgent(cells) })
    }
  }

  /** A cell that is dragged is offered no place that would be too small for two. */
  #refuseTooSmall(drag: DockviewWillShowOverlayLocationEvent): void {
    const { group, position } = drag
    if (group === undefined || position === 'center') return
    const side = position === 'left' || position === 'right' ? 'right' : 'below'
    if (!this.#arrangement.hasRoomToSplit(group.api, side)) drag.preventDefault()
  }

  #keepMaximised(): void {
    if (this.#isRestoring) return
    const maximised = this.#grid.panels.find((panel) => panel.api.isMaximized())?.id ?? null
    keepPlace(this.#projectId, { maximised })
  }
}

function chosenIn(projectId: string): string | null {
  const cells = cellStore.getState()
  return cells.projectId === projectId ? chosenAgent(cells) : null
}
