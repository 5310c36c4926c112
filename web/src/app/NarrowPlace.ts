import { Owned } from '../lib/lifecycle'
import { agentStore } from '../state/agents'
import { cellOf, cellStore, chosenAgent, focusCell, placeCell, takeCells } from '../state/cells'
import { cellAt, keepPlace, placeIn } from '../state/places'
import { projectStore } from '../state/project'
import { showCells, showList } from '../state/selection'
import { viewFor } from '../state/viewFor'
import type { CellPlace } from './cellPlace'

/**
 * The cells of a narrow page, which shows one at a time: those of the layout, and for who has none there one that only
 * this page knows. None of it is saved.
 */
export class NarrowPlace implements CellPlace {
  readonly #projectId: string
  readonly #owned = new Owned()

  constructor(projectId: string) {
    this.#projectId = projectId
    // What a wide page has not saved yet stays.
    if (cellStore.getState().projectId !== projectId) {
      takeCells(projectId, projectStore.getState().get(projectId)?.layout.cells ?? [])
    }
    this.#placeAll()
    const agentId = this.#agentIn(cellAt(placeIn(projectId)))
    focusCell(this.#cellOf(agentId) ?? this.#first())
    this.#owned.add(agentStore.subscribe(() => this.#placeAll()))
    this.#owned.add(cellStore.subscribe(() => this.#keep()))
  }

  dispose(): void {
    this.#owned.close()
  }

  showAgent(agentId: string): void {
    focusCell(this.#cellOf(agentId))
    showCells()
  }

  focus(nodeId: string): void {
    focusCell(nodeId)
    showCells()
  }

  /** There is one cell. */
  canSplit(): boolean {
    return false
  }

  split(): void {}

  closeCell(): void {
    showList()
  }

  toggleMaximised(): void {}

  #placeAll(): void {
    const agents = [...agentStore.getState().values()].filter((agent) => agent.projectId === this.#projectId)
    for (const agent of agents)
      if (this.#cellOf(agent.id) === null) placeCell(agent.id, agent.id, viewFor(agent, 'chat'))
  }

  #agentIn(nodeId: string | null): string | null {
    const agentId = cellStore.getState().byNode.get(nodeId ?? '')?.agentId ?? placeIn(this.#projectId).agentId
    return agentStore.getState().has(agentId ?? '') ? agentId : null
  }

  #cellOf(agentId: string | null): string | null {
    return agentId === null ? null : (cellOf(cellStore.getState().byNode, agentId)?.nodeId ?? null)
  }

  #first(): string | null {
    const cells = [...cellStore.getState().byNode.values()]
    return cells.find(({ agentId }) => agentStore.getState().has(agentId ?? ''))?.nodeId ?? null
  }

  #keep(): void {
    const cells = cellStore.getState()
    if (cells.focused !== null) keepPlace(this.#projectId, { nodeId: cells.focused, agentId: chosenAgent(cells) })
  }
}
