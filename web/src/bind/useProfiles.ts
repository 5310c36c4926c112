import { useCallback, useEffect } from 'react'
import { useStore } from 'zustand'
import { type Found, lookForProfiles, NOT_LOOKED, profileStore } from '../state/profiles'

export interface Profiles extends Found {
  look: () => void
}

/** The kinds of CLI that a project can use; looks for them when first mounted and whenever asked. */
export function useProfiles(projectId: string): Profiles {
  const found = useStore(profileStore, (all) => all.get(projectId)) ?? NOT_LOOKED
  const look = useCallback(() => void lookForProfiles(projectId), [projectId])
  useEffect(look, [look])
  return { ...found, look }
}
