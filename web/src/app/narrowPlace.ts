import { agentStore } from '../state/agents'
import { cellOf, cellStore, placeCell } from '../state/cells'
import type { ProjectFacts } from '../state/project'
import { selectionStore } from '../state/selection'
import { viewFor } from '../state/viewFor'
import type { CellPlace } from './cellPlace'

/** A phone shows one cell: the agent's own of the saved layout, else one that only this page knows. */
export function narrowPlace(project: ProjectFacts): CellPlace {
  const showAgent = (agentId: string) => {
    if (cellOf(cellStore.getState().byNode, agentId) === undefined) {
      const saved = project.layout.cells.find((cell) => cell.agentId === agentId)
      const agent = agentStore.getState().get(agentId)
      const view = saved?.view ?? (agent === undefined ? 'chat' : viewFor(agent, 'chat'))
      placeCell(saved?.nodeId ?? agentId, agentId, view)
    }
    selectionStore.setState({ agentId, narrow: 'cell' })
  }
  return {
    showAgent,
    focus: (nodeId) => {
      const agentId = cellStore.getState().byNode.get(nodeId)?.agentId
      if (agentId) showAgent(agentId)
    },
    split: () => {},
    closeCell: () => selectionStore.setState({ narrow: 'list' }),
    toggleMaximised: () => {},
  }
}
