import { createContext, useContext } from 'react'
import type { Side } from './Arrangement'

/** What lists, headers and menus ask of the place where cells are shown; a narrow screen answers with one cell. */
export interface CellPlace {
  showAgent(agentId: string): void
  focus(nodeId: string): void
  /** There is room for two of them. */
  canSplit(nodeId: string, side: Side): boolean
  split(nodeId: string | null, side: Side): void
  closeCell(nodeId: string): void
  toggleMaximised(nodeId: string): void
}

export const CellPlaceContext = createContext<CellPlace | null>(null)

export function useCellPlace(): CellPlace {
  const place = useContext(CellPlaceContext)
  if (place === null) throw new Error('a cell stands outside its place')
  return place
}
