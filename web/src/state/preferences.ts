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
  /** The size of the text in all terminals, in pixels. */
  terminalFontPx: number
}

export const TERMINAL_FONT_PX = { least: 6, usual: 12, most: 32 }

const KEY = 'idea.preferences'

export const preferenceStore = createStore<Preferences>(() => load())

preferenceStore.subscribe((preferences) => localStorage.setItem(KEY, JSON.stringify(preferences)))

/** By steps of a pixel, or to a size; what is no size changes nothing. */
export function zoomTerminals(change: 'in' | 'out' | 'usual' | number): void {
  const { terminalFontPx } = preferenceStore.getState()
  const steps = { in: terminalFontPx + 1, out: terminalFontPx - 1, usual: TERMINAL_FONT_PX.usual }
  const px = typeof change === 'number' ? change : steps[change]
  if (isFontSize(px)) preferenceStore.setState({ terminalFontPx: px })
}

function isFontSize(px: unknown): px is number {
  return Number.isInteger(px) && Number(px) >= TERMINAL_FONT_PX.least && Number(px) <= TERMINAL_FONT_PX.most
}

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
  const px = 'terminalFontPx' in found ? found.terminalFontPx : null
  return { theme, locale, terminalFontPx: isFontSize(px) ? px : TERMINAL_FONT_PX.usual }
}
