import type { Words } from '../../words/en'

/** What the server calls the layout that every project begins with; people read a word of their language. */
const FIRST = 'default'

export function layoutName(name: string, words: Words): string {
  return name === FIRST ? words.layouts.first : name
}
