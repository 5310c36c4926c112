import type { IDisposable, IParser } from '@xterm/xterm'

const OSC_CLIPBOARD = 52
const MOST_CHARS = 1024 * 1024
/** In base64. */

/** What the program writes to the clipboard is offered to the person; what it asks of the clipboard is never answered. */
export function offerClipboard(parser: IParser, onOffer: (text: string) => void): IDisposable {
  return parser.registerOscHandler(OSC_CLIPBOARD, (content) => {
    const text = textOf(content)
    if (text !== null) onOffer(text)
    return true
  })
}

/** `content`: which clipboard, a semicolon, the text in base64. */
export function textOf(content: string): string | null {
  const encoded = content.slice(content.indexOf(';') + 1)
  if (encoded.length > MOST_CHARS || !/^[A-Za-z0-9+/]+=*$/.test(encoded)) return null
  try {
    const bytes = Uint8Array.from(atob(encoded), (char) => char.charCodeAt(0))
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    // No base64, or no text: nothing that a person could have meant.
    return null
  }
}
