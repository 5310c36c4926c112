/** Which requests a person has had before their eyes to the end: only those can be allowed. */

import { createStore } from 'zustand/vanilla'
import type { Decision } from '../wire/shapes'
import { type ProjectPermission, permissionKey, permissionStore } from './permissions'

/** By `permissionKey`. */
export const readStore = createStore<ReadonlySet<string>>(() => new Set())

export function markRead(permission: ProjectPermission): void {
  const key = permissionKey(permission)
  const read = readStore.getState()
  if (read.has(key)) return
  const waiting = permissionStore.getState()
  readStore.setState(new Set([...read].filter((one) => waiting.has(one))).add(key), true)
}

/** Refusing needs no reading. */
export function canAnswer(permission: ProjectPermission, decision: Decision, read = readStore.getState()): boolean {
  return permission.choices.includes(decision) && (decision === 'deny' || read.has(permissionKey(permission)))
}
