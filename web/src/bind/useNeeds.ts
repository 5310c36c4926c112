import { useMemo } from 'react'
import { useStore } from 'zustand'
import { useShallow } from 'zustand/react/shallow'
import { agentStore } from '../state/agents'
import { type Need, needAtCell, needsOf } from '../state/needsYou'
import { permissionStore } from '../state/permissions'
import { projectStore } from '../state/project'

const NONE: readonly Need[] = []

/** What waits for the person in this project. */
export function useNeeds(projectId: string | null): readonly Need[] {
  const project = useStore(projectStore, (projects) => projects.get(projectId ?? ''))
  const permissions = useStore(permissionStore)
  // What the others do must not render anew whatever shows the needs.
  const agents = useStore(
    agentStore,
    useShallow((all) => {
      const asking = new Set([...permissions.values()].map((one) => one.agentId))
      return [...all.values()].filter(
        (one) => one.projectId === projectId && (asking.has(one.id) || needAtCell(one) !== null),
      )
    }),
  )
  return useMemo(
    () => (project === undefined ? NONE : needsOf(project, agents, permissions.values())),
    [project, agents, permissions],
  )
}
