import { UnicodeGraphemesAddon } from '@xterm/addon-unicode-graphemes'
import type { IUnicodeVersionProvider, Terminal } from '@xterm/xterm'

/** First and last of those that the addon (0.4.0) measures otherwise than the server's terminal and most programs do, and one that it knows. */
const STAND_INS: readonly (readonly [first: number, last: number, known: number])[] = [
  // Thai and Lao AM have a column of their own.
  [0x0e33, 0x0e33, 0x0e01],
  [0x0eb3, 0x0eb3, 0x0e81],
  // Marks without width.
  [0x200b, 0x200b, 0x034f],
  [0x2060, 0x2064, 0x034f],
  [0xfeff, 0xfeff, 0x034f],
  // Emoji younger than its tables, and those that will be.
  [0x1f6dc, 0x1f6df, 0x1f970],
  [0x1fa70, 0x1faff, 0x1f970],
]

const FIRST = 0x0e33

/** Characters as people see them, an emoji of several code points being one; in as many columns as on the server. */
export function measureCharacters(terminal: Terminal): void {
  const known: IUnicodeVersionProvider[] = []
  const unicode = { register: (provider: IUnicodeVersionProvider) => known.push(provider), activeVersion: '' }
  const collector: Terminal = Object.create(terminal, { unicode: { value: unicode } })
  new UnicodeGraphemesAddon().activate(collector)
  const graphemes = known.find(({ version }) => version === unicode.activeVersion)
  if (graphemes === undefined) throw new Error('the graphemes addon has no provider')
  terminal.unicode.register({
    version: 'idea',
    wcwidth: (codePoint) => graphemes.wcwidth(standIn(codePoint)),
    charProperties: (codePoint, preceding) => graphemes.charProperties(standIn(codePoint), preceding),
  })
  terminal.unicode.activeVersion = 'idea'
}

function standIn(codePoint: number): number {
  if (codePoint < FIRST) return codePoint
  return STAND_INS.find(([first, last]) => first <= codePoint && codePoint <= last)?.[2] ?? codePoint
}
