import { createContext, useContext } from 'react'

export const ProjectContext = createContext<string>('')

/** The project whose cells these are. */
export function useProjectId(): string {
  return useContext(ProjectContext)
}
