/** What agents wait for a person to allow, by request. */

import { createStore } from 'zustand/vanilla'
import type { Permission, ServerEvent, Snapshot } from '../wire/shapes'

export type ProjectPermission = Permission & { projectId: string }
export type Permissions = ReadonlyMap<string, ProjectPermission>
/** By `permissionKey`. */

export const permissionStore = createStore<Permissions>(() => new Map())

/** Each engine numbers its own requests: only with the agent they are unique. */
export function permissionKey({ agentId, requestId }: Pick<Permission, 'agentId' | 'requestId'>): string {
  return `${agentId}/${requestId}`
}

export function permissionsOf(snapshot: Snapshot): Permissions {
  return new Map(
    snapshot.projects.flatMap(({ id: projectId, permissions }) =>
      permissions.map((one): [string, ProjectPermission] => [permissionKey(one), { ...one, projectId }]),
    ),
  )
}

export function applyToPermissions(permissions: Permissions, event: ServerEvent): Permissions {
  switch (event.type) {
    case 'projectOpened': {
      const next = new Map(permissions)
      for (const one of event.project.permissions) next.set(permissionKey(one), { ...one, projectId: event.projectId })
      return next
    }
    case 'projectClosed':
      return new Map([...permissions].filter(([, one]) => one.projectId !== event.projectId))
    case 'permissionAsked': {
      const { permission, projectId } = event
      return new Map(permissions).set(permissionKey(permission), { ...permission, projectId })
    }
    case 'permissionSettled': {
      const next = new Map(permissions)
      next.delete(permissionKey(event))
      return next
    }
    default:
      return permissions
  }
}
