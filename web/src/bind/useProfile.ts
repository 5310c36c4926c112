import { useEffect } from 'react'
import { useStore } from 'zustand'
import { lookForProfiles, profileStore } from '../state/profiles'
import type { Profile } from '../wire/shapes'

/** What is known of one kind of CLI; undefined until the server has looked. */
export function useProfile(projectId: string, profileId: string): Profile | undefined {
  const isKnown = useStore(profileStore, (all) => all.has(projectId))
  useEffect(() => {
    if (!isKnown) void lookForProfiles(projectId)
  }, [isKnown, projectId])
  return useStore(profileStore, (all) => all.get(projectId)?.list.find((one) => one.id === profileId))
}
