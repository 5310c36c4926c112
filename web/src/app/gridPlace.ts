import type { CellPlace } from './cellPlace'
import type { GridController } from './GridController'

/** The grid as a place for cells; before it is ready nothing can be asked of it. */
export function gridPlace(grid: GridController | null): CellPlace {
  return {
    showAgent: (agentId) => grid?.showAgent(agentId),
    focus: (nodeId) => grid?.focus(nodeId),
    canSplit: (nodeId, side) => grid?.canSplit(nodeId, side) ?? false,
    split: (nodeId, side) => grid?.split(nodeId, side),
    closeCell: (nodeId) => grid?.closeCell(nodeId),
    toggleMaximised: (nodeId) => grid?.toggleMaximised(nodeId),
  }
}
