import { useMemo } from 'react'
import { useStore } from 'zustand'
import { agentStore } from '../state/agents'
import { type Need, needsOf } from '../state/needsYou'
import { permissionStore } from '../state/permissions'
import { projectStore } from '../state/project'

const NONE: readonly Need[] = []

/** What waits for the person in this project. */
export function useNeeds(projectId: string | null): readonly Need[] {
  const project = useStore(projectStore, (projects) => projects.get(projectId ?? ''))
  const permissions = useStore(permissionStore)
  const agents = useStore(agentStore)
  return useMemo(() => {
    if (project === undefined) return NONE
    const own = [...agents.values()].filter((agent) => agent.projectId === project.id)
    return needsOf(project, own, permissions.values())
  }, [project, agents, permissions])
}
