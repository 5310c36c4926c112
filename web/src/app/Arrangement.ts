/** Where cells go: a new one beside another, the agents of a project that nobody has arranged yet. */

import type { DockviewApi, IDockviewPanel } from 'dockview-react'
import { agentStore, type ProjectAgent } from '../state/agents'
import { cellOf, cellStore, placeCell, takeCells } from '../state/cells'
import { viewFor } from '../state/viewFor'
import type { View } from '../wire/shapes'
import type { Words } from '../words/en'
import { cellTitle } from './cell/useCellTitle'

const STACKED_BY_DEFAULT = 3
export const LEAST_PX = { width: 200, height: 140 }
/** Below this not even the header and a line of what is said have room: no split, and no drag, makes a smaller cell. */
const ROOMY_WIDTH_PX = 400
const ROOMY_HEIGHT_PX = 260
/** Less than this for each is no room for a cell that nobody asked to have beside the present one. */

export type Side = 'right' | 'below'

export class Arrangement {
  readonly #grid: DockviewApi
  readonly #projectId: string
  readonly #words: () => Words

  /** `words`: in the language of that moment. */
  constructor(grid: DockviewApi, projectId: string, words: () => Words) {
    this.#grid = grid
    this.#projectId = projectId
    this.#words = words
  }

  /** Without a side it becomes a tab. Nobody is taken there: whoever wants to be goes on to it. */
  add(nodeId: string, side: Side | undefined, besides?: string): void {
    const reference = (besides === undefined ? undefined : this.#grid.getPanel(besides)) ?? this.#grid.activePanel
    const position = reference === undefined ? {} : { position: positionOf(reference, side) }
    this.#grid.addPanel({
      id: nodeId,
      component: 'cell',
      title: this.#titleOf(nodeId),
      minimumWidth: LEAST_PX.width,
      minimumHeight: LEAST_PX.height,
      inactive: true,
      ...position,
    })
  }

  /** Whether a frame of cells can be halved. */
  hasRoomToSplit({ width, height }: { width: number; height: number }, side: Side): boolean {
    return side === 'right' ? width >= 2 * LEAST_PX.width : height >= 2 * LEAST_PX.height
  }

  /** Where the present cell leaves a new one enough room, if anywhere. */
  roomBeside(): Side | undefined {
    const present = this.#grid.activeGroup
    if (present === undefined) return undefined
    if (present.api.width >= 2 * ROOMY_WIDTH_PX) return 'right'
    return present.api.height >= 2 * ROOMY_HEIGHT_PX ? 'below' : undefined
  }

  /** Into an empty grid: Main large at the left, up to three others stacked at the right. */
  begin(): void {
    takeCells(this.#projectId, [])
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

  hasRoomForMissing(): boolean {
    return cellStore.getState().byNode.size <= STACKED_BY_DEFAULT && this.#missing().length > 0
  }

  /** Where the person is stays where the person is. */
  addMissing(): void {
    const free = STACKED_BY_DEFAULT + 1 - cellStore.getState().byNode.size
    for (const agent of this.#missing().slice(0, free)) {
      const shown = [...cellStore.getState().byNode.keys()]
      this.#place(agent, shown.length <= 1 ? 'right' : 'below', shown.at(-1))
    }
    if (this.#grid.activePanel === undefined) this.#grid.panels[0]?.api.setActive()
  }

  /** A cell's id is its agent's, so that every browser agrees. */
  #place(agent: ProjectAgent, side: Side | undefined, besides: string | undefined): void {
    placeCell(agent.id, agent.id, viewOf(agent.id))
    this.add(agent.id, side, besides)
  }

  #evenOut(stacked: readonly ProjectAgent[]): void {
    const first = stacked[0]
    if (first === undefined) return
    this.#grid.getPanel(first.id)?.api.setSize({ width: Math.round((this.#grid.width * 11) / 23) })
    for (const agent of stacked) {
      this.#grid.getPanel(agent.id)?.api.setSize({ height: Math.round(this.#grid.height / stacked.length) })
    }
  }

  #missing(): ProjectAgent[] {
    const shown = cellStore.getState().byNode
    return this.#agents().filter((agent) => cellOf(shown, agent.id) === undefined)
  }

  #agents(): ProjectAgent[] {
    return [...agentStore.getState().values()].filter((agent) => agent.projectId === this.#projectId)
  }

  /** From the first moment on: without one, screen readers would hear its id. */
  #titleOf(nodeId: string): string {
    const cell = cellStore.getState().byNode.get(nodeId)
    return cellTitle(agentStore.getState().get(cell?.agentId ?? '')?.name, cell?.view ?? 'chat', this.#words())
  }
}

/** The view that a cell of this agent begins with. */
export function viewOf(agentId: string): View {
  const agent = agentStore.getState().get(agentId)
  return agent === undefined ? 'chat' : viewFor(agent, 'chat')
}

function positionOf(reference: IDockviewPanel, side: Side | undefined) {
  return side === undefined ? { referencePanel: reference } : { referencePanel: reference, direction: side }
}
