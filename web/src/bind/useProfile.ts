import { useEffect } from 'react'
import { useStore } from 'zustand'
import { type Found, isUnknown, lookForProfiles, profileStore } from '../state/profiles'
import type { Profile } from '../wire/shapes'

/** What is known of one kind of CLI; undefined until the server has looked. */
export function useProfile(projectId: string, profileId: string): Profile | undefined {
  return useFound(projectId, (found) => found?.list.find((one) => one.id === profileId))
}

/** Nothing is known of it though the server has looked, once more for this one: its file may be new. */
export function useIsUnknownProfile(projectId: string, profileId: string): boolean {
  const isMissing = useFound(projectId, (found) => isUnknown(found, profileId))
  useEffect(() => {
    if (isMissing) void lookForProfiles(projectId)
  }, [isMissing, projectId])
  return isMissing
}

function useFound<T>(projectId: string, choose: (found: Found | undefined) => T): T {
  useEffect(() => {
    // Of all that find nothing at once, the first one looks.
    if (!profileStore.getState().has(projectId)) void lookForProfiles(projectId)
  }, [projectId])
  return useStore(profileStore, (all) => choose(all.get(projectId)))
}
