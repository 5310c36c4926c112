/** A text from elsewhere before a person judges, copies or types it: what of it would act, or hide, instead of being read. */

/** All controls but tab and newline, and what turns the direction of reading, so that a line shows as another one. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is to be taken out.
const ACTING = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/gu

/** What takes no room. Not the two that join letters and emoji. */
const UNSEEN = /[\u00ad\u061c\u180e\u200b\u200e\u200f\u2060-\u2064\ufeff]/gu
const MOST_EMPTY = 2
/** Lines: a paragraph's end is no hiding place. */
const MOST_SPACES = 40
/** An indentation is less; in a box that breaks lines, more of them push what follows out of sight. */
const SPACES = new RegExp(`\\s{${MOST_SPACES},}`, 'gu')

/** Nothing in it acts, and its lines end in a newline. */
export function plainText(text: string): string {
  return withNewlines(text).replace(ACTING, '')
}

/** What `plainText` takes out, as it can be seen. */
export function shownText(text: string): { text: string; dropped: number } {
  let dropped = 0
  const shown = withNewlines(text).replace(ACTING, (char) => {
    dropped += 1
    return pictureOf(char.charCodeAt(0))
  })
  return { text: shown, dropped }
}

/** What a text that is agreed to must not do to a reader. `spaces` and `lines` say how many of them are left out. */
export interface Emptiness {
  spaces: (n: number) => string
  lines: (n: number) => string
}

/** With everything in sight that acts or takes no room. */
export function revealed(text: string): string {
  return shownText(text).text.replace(UNSEEN, (char) => pictureOf(char.charCodeAt(0)))
}

/** The same, and nothing stands far below or beside what looks like the end. */
export function condensed(text: string, say: Emptiness): string {
  const isBlank = (line: string) => line.trim() === ''
  const lines: string[] = []
  let empty: string[] = []
  const endEmpty = () => {
    lines.push(...(empty.length > MOST_EMPTY ? [say.lines(empty.length)] : empty))
    empty = []
  }
  for (const line of revealed(text).replace(/\n+$/, '').split('\n')) {
    if (isBlank(line)) {
      empty.push('')
      continue
    }
    endEmpty()
    lines.push(line.replace(SPACES, (run) => say.spaces(run.length)))
  }
  endEmpty()
  return lines.join('\n')
}

function withNewlines(text: string): string {
  return text.replace(/\r\n?/g, '\n')
}

function pictureOf(code: number): string {
  if (code < 0x20) return String.fromCharCode(0x2400 + code)
  if (code === 0x7f) return '\u2421'
  return `<${code.toString(16).toUpperCase()}>`
}
