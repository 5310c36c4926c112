import { useSyncExternalStore } from 'react'
import { useStore } from 'zustand'
import { preferenceStore, shownTheme, type Theme } from '../state/preferences'

const QUERIES = ['(prefers-color-scheme: dark)', '(prefers-contrast: more)']

/** The theme on screen: the person's choice, or what the system asks for now. */
export function useShownTheme(): Exclude<Theme, 'system'> {
  const theme = useStore(preferenceStore, (preferences) => preferences.theme)
  return useSyncExternalStore(watchSystem, () => shownTheme(theme, (query) => matchMedia(query).matches))
}

function watchSystem(onChange: () => void): () => void {
  const lists = QUERIES.map((query) => matchMedia(query))
  for (const list of lists) list.addEventListener('change', onChange)
  return () => {
    for (const list of lists) list.removeEventListener('change', onChange)
  }
}
