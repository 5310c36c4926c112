/** Every known ask, by ticket. */

import { createStore } from 'zustand/vanilla'
import type { Delegation, ServerEvent, Snapshot } from '../wire/shapes'

export type ProjectDelegation = Delegation & { projectId: string }
export type Delegations = ReadonlyMap<string, ProjectDelegation>

export const delegationStore = createStore<Delegations>(() => new Map())

export function delegationsOf(snapshot: Snapshot): Delegations {
  return new Map(
    snapshot.projects.flatMap(({ id: projectId, delegations }) =>
      delegations.map((one): [string, ProjectDelegation] => [one.ticketId, { ...one, projectId }]),
    ),
  )
}

export function applyToDelegations(delegations: Delegations, event: ServerEvent): Delegations {
  switch (event.type) {
    case 'projectOpened': {
      const next = new Map(delegations)
      for (const one of event.project.delegations) next.set(one.ticketId, { ...one, projectId: event.projectId })
      return next
    }
    case 'projectClosed':
      return new Map([...delegations].filter(([, one]) => one.projectId !== event.projectId))
    case 'delegationChanged': {
      const { delegation, projectId } = event
      return new Map(delegations).set(delegation.ticketId, { ...delegation, projectId })
    }
    default:
      return delegations
  }
}

export function isOpen(delegation: Delegation): boolean {
  return delegation.state === 'queued' || delegation.state === 'running'
}
