/** The kinds of CLI that each project can use, as the server found them last. */

import { createStore } from 'zustand/vanilla'
import { api } from '../wire/api'
import type { Failure } from '../wire/outcome'
import type { Profile } from '../wire/shapes'

export interface Found {
  list: readonly Profile[]
  isLoading: boolean
  failure: Failure | null
}

export const NOT_LOOKED: Found = { list: [], isLoading: true, failure: null }

/** By project id. */
export const profileStore = createStore<ReadonlyMap<string, Found>>(() => new Map())

/** Looks for the CLIs anew; what was found before stays shown meanwhile. */
export async function lookForProfiles(projectId: string): Promise<void> {
  const before = profileStore.getState().get(projectId) ?? NOT_LOOKED
  put(projectId, { ...before, isLoading: true })
  const result = await api.profiles(projectId)
  put(
    projectId,
    result.ok
      ? { list: result.value, isLoading: false, failure: null }
      : { list: before.list, isLoading: false, failure: result.failure },
  )
}

/** The server has looked and found no CLI of that id. */
export function isUnknown(found: Found | undefined, profileId: string): boolean {
  return found !== undefined && found.list.length > 0 && !found.list.some((one) => one.id === profileId)
}

function put(projectId: string, found: Found): void {
  profileStore.setState((all) => new Map(all).set(projectId, found), true)
}
