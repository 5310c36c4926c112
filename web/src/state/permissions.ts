/** What agents wait for a person to allow, by request. */

import { createStore } from 'zustand/vanilla'
import type { Permission, ServerEvent, Snapshot } from '../wire/shapes'

export type ProjectPermission = Permission & { projectId: string }
export type Permissions = ReadonlyMap<string, ProjectPermission>

export const permissionStore = createStore<Permissions>(() => new Map())

export function permissionsOf(snapshot: Snapshot): Permissions {
  return new Map(
    snapshot.projects.flatMap(({ id: projectId, permissions }) =>
      permissions.map((one): [string, ProjectPermission] => [one.requestId, { ...one, projectId }]),
    ),
  )
}

export function applyToPermissions(permissions: Permissions, event: ServerEvent): Permissions {
  switch (event.type) {
    case 'projectOpened': {
      const next = new Map(permissions)
      for (const one of event.project.permissions) next.set(one.requestId, { ...one, projectId: event.projectId })
      return next
    }
    case 'projectClosed':
      return new Map([...permissions].filter(([, one]) => one.projectId !== event.projectId))
    case 'permissionAsked': {
      const { permission, projectId } = event
      return new Map(permissions).set(permission.requestId, { ...permission, projectId })
    }
    case 'permissionSettled': {
      const next = new Map(permissions)
      next.delete(event.requestId)
      return next
    }
    default:
      return permissions
  }
}
