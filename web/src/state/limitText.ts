import type { Words } from '../words/en'
import { clockTime, dayAndTime, type Locale } from '../words/words'

/** Until when a CLI takes no work, as told at `atMs`; with the day where it is another one. */
export function limitText(untilMs: number | null, atMs: number, words: Words, locale: Locale): string {
  if (untilMs === null) return words.state.limitUnknown
  const isSameDay = new Date(untilMs).toDateString() === new Date(atMs).toDateString()
  return words.state.limitUntil((isSameDay ? clockTime : dayAndTime)(untilMs, locale))
}
