/**
 * A text from elsewhere as a person must see it: nothing in it hides, turns round or acts. The server has the same
 * table for what it tells, in `domain/visible_text.py`; `tests/visible_text.json` holds both to one list.
 */

/** Controls but tab and newline, and what turns the direction of reading, so that a line shows as another one. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const ACTING = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/gu

/** Blanks that are no space; fillers, joiners, marks of direction, variants, tags; halves; what each font draws as it likes. */
const HIDDEN =
  // biome-ignore lint/suspicious/noMisleadingCharacterClass: each is meant on its own.
  /[\xa0\xad\u034f\u061c\u115f\u1160\u1680\u17b4\u17b5\u180b-\u180f\u2000-\u200f\u2028\u2029\u202f\u205f-\u2065\u206a-\u206f\u2800\u3000\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}\ud800-\udfff\ue000-\uf8ff\u{f0000}-\u{10ffff}]/gu

const MOST_SPACES = 8
/** More in a row within a line, or at its end, could carry away what comes after. */
const MOST_INDENT = 40
const MOST_EMPTY_LINES = 2

/** Each is looked for on its own: a part of the text that is shown otherwise than it stands. */
const PARTS = new RegExp(
  [
    `(?<lines>\\n(?:[ \\t]*\\n){${MOST_EMPTY_LINES + 1},})`,
    `(?<spaces>(?<=^)[ \\t]{${MOST_INDENT + 1},}|(?<=[^ \\t\\n])[ \\t]{${MOST_SPACES + 1},})`,
    `(?<hidden>${ACTING.source}|${HIDDEN.source})`,
  ].join('|'),
  'gmu',
)

export type Segment =
  | { kind: 'text'; text: string }
  /** A character that is not seen, as `\u{202e}`. */
  | { kind: 'mark'; text: string }
  /** So many in a row. */
  | { kind: 'gap'; of: 'spaces' | 'lines'; count: number }

/** In its own lines; every character that is not seen is written as `\u{202e}`. For what is approved, or would run. */
export function visible(text: string): string {
  return calm(text).replace(HIDDEN, written)
}

/** Only what would act on the words around it is written so. For what is merely read. */
export function calm(text: string): string {
  return text.replace(ACTING, written)
}

const MOST_LISTED_CHARS = 500

/** The beginning of a text that is named in a line and told whole elsewhere. */
export function inList(text: string): string {
  return calm(text.length > MOST_LISTED_CHARS ? `${text.slice(0, MOST_LISTED_CHARS)}…` : text)
}

/** Nothing acts any more. */
export function withoutActing(text: string): string {
  return text.replace(ACTING, '')
}

/** As `visible`, and of long gaps their length: nothing lies so far off that it is not looked for. */
export function segmentsOf(text: string): Segment[] {
  const segments: Segment[] = []
  let from = 0
  for (const { index, 0: found, groups = {} } of text.matchAll(PARTS)) {
    if (index > from) segments.push({ kind: 'text', text: text.slice(from, index) })
    segments.push(segmentOf(found, groups))
    from = index + found.length
  }
  if (from < text.length) segments.push({ kind: 'text', text: text.slice(from) })
  return segments
}

function segmentOf(found: string, groups: Record<string, string | undefined>): Segment {
  if (groups.hidden !== undefined) return { kind: 'mark', text: written(found) }
  if (groups.spaces !== undefined) return { kind: 'gap', of: 'spaces', count: found.length }
  return { kind: 'gap', of: 'lines', count: found.split('\n').length - 2 }
}

/** How much there is to read. */
export function extentOf(text: string): { lines: number; chars: number } {
  return { lines: text.replace(/\n$/, '').split('\n').length, chars: Array.from(text).length }
}

function written(char: string): string {
  return `\\u{${char.codePointAt(0)?.toString(16)}}`
}
