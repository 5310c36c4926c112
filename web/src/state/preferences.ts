/** What this browser's person prefers; kept in the origin's storage. */

import { createStore } from 'zustand/vanilla'
import type { Locale } from '../words/words'

export const THEMES = ['system', 'light', 'dark', 'contrast', 'contrast-light'] as const
export type Theme = (typeof THEMES)[number]
const LOCALES: readonly Locale[] = ['en', 'fr']

export interface Preferences {
  theme: Theme
  /** Null: the project's setting, then the browser's languages. */
  locale: Locale | null
}

const KEY = 'idea.preferences'

export const preferenceStore = createStore<Preferences>(() => load())

preferenceStore.subscribe((preferences) => localStorage.setItem(KEY, JSON.stringify(preferences)))

export function shownTheme(theme: Theme, matches: (query: string) => boolean): Exclude<Theme, 'system'> {
  if (theme !== 'system') return theme
  const isDark = matches('(prefers-color-scheme: dark)')
  if (matches('(prefers-contrast: more)')) return isDark ? 'contrast' : 'contrast-light'
  return isDark ? 'dark' : 'light'
}

function load(): Preferences {
  let stored: unknown = null
  try {
    stored = JSON.parse(localStorage.getItem(KEY) ?? 'null')
  } catch {
    // Written by hand or cut off: the defaults are better than a blank page.
  }
  const found = typeof stored === 'object' && stored !== null ? stored : {}
  const theme = THEMES.find((one) => 'theme' in found && found.theme === one) ?? 'system'
  const locale = LOCALES.find((one) => 'locale' in found && found.locale === one) ?? null
  return { theme, locale }
}
