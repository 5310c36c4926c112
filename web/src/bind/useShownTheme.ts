import { useSyncExternalStore } from 'react'
import { useStore } from 'zustand'
import { preferenceStore, shownTheme, type Theme } from '../state/preferences'

type Shown = Exclude<Theme, 'system'>

const QUERIES = ['(prefers-color-scheme: dark)', '(prefers-contrast: more)']

/** The theme on screen: the person's choice, or what the system asks for now. */
export function useShownTheme(): Shown {
  const theme = useStore(preferenceStore, (preferences) => preferences.theme)
  return useSyncExternalStore(watchSystem, () => (theme === 'system' ? systemTheme() : theme))
}

const watchers = new Set<() => void>()
let seen: Shown | null = null
let isWatched = false

/**
 * As of the last change that everybody was told of. Looking each time anew would give the new theme to whoever
 * happens to be drawn first, a terminal say, while the page still has the colours of the old one.
 */
function systemTheme(): Shown {
  seen ??= look()
  return seen
}

function look(): Shown {
  return shownTheme('system', (query) => matchMedia(query).matches)
}

function watchSystem(onChange: () => void): () => void {
  if (!isWatched) {
    isWatched = true
    // For as long as the page lives.
    for (const query of QUERIES) matchMedia(query).addEventListener('change', tellAll)
  }
  if (watchers.size === 0) seen = look()
  watchers.add(onChange)
  return () => watchers.delete(onChange)
}

function tellAll(): void {
  seen = look()
  for (const watcher of watchers) watcher()
}
