import { extentOf, segmentsOf } from './visibleText'

const MOST_CHARS = 140

/** All of it is taken in at one look: a short line with nothing that is not seen. */
export function isGlance(text: string): boolean {
  const { lines, chars } = extentOf(text)
  return lines === 1 && chars <= MOST_CHARS && segmentsOf(text).every(({ kind }) => kind === 'text')
}
