/** The kinds of CLI that each project can use, as the server found them last. */

import { createStore } from 'zustand/vanilla'
import { api } from '../wire/api'
import { type Arrival, arrivalOf, isFailure } from '../wire/outcome'
import type { Profile } from '../wire/shapes'

export interface Found {
  list: readonly Profile[]
  arrival: Arrival
}

export const NOT_LOOKED: Found = { list: [], arrival: 'awaited' }

/** By project id. */
export const profileStore = createStore<ReadonlyMap<string, Found>>(() => new Map())

/** Looks for the CLIs anew; what was found before stays shown meanwhile. */
export async function lookForProfiles(projectId: string): Promise<void> {
  const { list } = profileStore.getState().get(projectId) ?? NOT_LOOKED
  put(projectId, { list, arrival: 'awaited' })
  const result = await api.profiles(projectId)
  put(projectId, { list: result.ok ? result.value : list, arrival: arrivalOf(result) })
}

/** Once the server is back: what cells offer depends on it, and says nothing of a look that failed. */
export function lookAgainWhereFailed(): void {
  for (const [projectId, { arrival }] of profileStore.getState()) {
    if (isFailure(arrival)) void lookForProfiles(projectId)
  }
}

/** The server has looked and found no CLI of that id. */
export function isUnknown(found: Found | undefined, profileId: string): boolean {
  return found !== undefined && found.list.length > 0 && !found.list.some((one) => one.id === profileId)
}

function put(projectId: string, found: Found): void {
  profileStore.setState((all) => new Map(all).set(projectId, found), true)
}
