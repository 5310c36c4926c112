import { type Segment, segmentsOf } from '../../lib/visibleText'

const MOST_CHARS = 600
const MOST_LINES = 12
const GAP_CHARS = 12
/** A gap is told in so many, however long it is. */

/** As it is shown it would push the others out of sight, so that it begins folded. */
export function isLong(text: string): boolean {
  const segments = segmentsOf(text)
  const chars = segments.reduce((sum, segment) => sum + shownChars(segment), 0)
  const lines = segments.reduce((sum, segment) => sum + shownLines(segment), 1)
  return chars > MOST_CHARS || lines > MOST_LINES
}

function shownChars(segment: Segment): number {
  return segment.kind === 'gap' ? GAP_CHARS : segment.text.length
}

function shownLines(segment: Segment): number {
  if (segment.kind === 'gap') return segment.of === 'lines' ? 2 : 0
  return segment.text.split('\n').length - 1
}
