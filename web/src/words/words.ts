/** The catalogues, which of them is used, and how times are written in it. */

import { en, type Words } from './en'
import { fr } from './fr'

export type Locale = 'en' | 'fr'

const CATALOGUES: Record<Locale, Words> = { en, fr }

export function wordsOf(locale: Locale): Words {
  return CATALOGUES[locale]
}

/** The person's choice, else the project's, else the first language of the browser that we speak. */
export function settledLocale(
  chosen: Locale | null,
  ofProject: string | undefined,
  languages: readonly string[],
): Locale {
  if (chosen !== null) return chosen
  if (ofProject === 'en' || ofProject === 'fr') return ofProject
  return languages.find((language) => /^(en|fr)\b/.test(language))?.startsWith('fr') ? 'fr' : 'en'
}

/** `14:02`, local time. */
export function clockTime(atMs: number, locale: Locale): string {
  return new Date(atMs).toLocaleTimeString(locale === 'fr' ? 'fr-FR' : 'en-GB', { hour: '2-digit', minute: '2-digit' })
}

/** `14:02:09`, local time. */
export function exactTime(atMs: number, locale: Locale): string {
  return new Date(atMs).toLocaleTimeString(locale === 'fr' ? 'fr-FR' : 'en-GB')
}

/** `Mon 3 Feb, 14:02`, local time. */
export function dayAndTime(atMs: number, locale: Locale): string {
  const format = { weekday: 'short', day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' } as const
  return new Date(atMs).toLocaleString(locale === 'fr' ? 'fr-FR' : 'en-GB', format)
}

/** `2,700,000`, as the language groups digits. */
export function grouped(count: number, locale: Locale): string {
  return count.toLocaleString(locale === 'fr' ? 'fr-FR' : 'en-GB')
}

/** The largest fitting unit: `40 s`, `6 min`, `2 h`. */
export function age(ms: number, words: Words): string {
  const seconds = Math.max(0, Math.floor(ms / 1000))
  if (seconds < 60) return words.age.seconds(seconds)
  if (seconds < 3600) return words.age.minutes(Math.floor(seconds / 60))
  if (seconds < 86_400) return words.age.hours(Math.floor(seconds / 3600))
  return words.age.days(Math.floor(seconds / 86_400))
}

/** With seconds below an hour: `40 s`, `1 min 12`. */
export function elapsed(ms: number, words: Words): string {
  const seconds = Math.max(0, Math.floor(ms / 1000))
  if (seconds < 60 || seconds >= 3600) return age(ms, words)
  return words.age.minutesAndSeconds(Math.floor(seconds / 60), String(seconds % 60).padStart(2, '0'))
}

/** `6:48`, or `2:29:48` from an hour on. */
export function countdown(ms: number): string {
  const total = Math.max(0, Math.ceil(ms / 1000))
  const parts = [Math.floor(total / 3600), Math.floor((total % 3600) / 60), total % 60]
  const shown = parts[0] === 0 ? parts.slice(1) : parts
  return shown.map((part, index) => (index === 0 ? String(part) : String(part).padStart(2, '0'))).join(':')
}

/** `Main, Architect and QA`. */
export function listed(names: readonly string[], locale: Locale): string {
  return new Intl.ListFormat(locale === 'fr' ? 'fr-FR' : 'en-GB').format(names)
}
