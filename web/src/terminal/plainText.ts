/** A text from elsewhere before it is copied or typed: what of it would act instead of being read. */

/** All controls but tab and newline, and what turns the direction of reading, so that a line shows as another one. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is to be taken out.
const ACTING = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/gu

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

function withNewlines(text: string): string {
  return text.replace(/\r\n?/g, '\n')
}

function pictureOf(code: number): string {
  if (code < 0x20) return String.fromCharCode(0x2400 + code)
  if (code === 0x7f) return '\u2421'
  return `<${code.toString(16).toUpperCase()}>`
}
