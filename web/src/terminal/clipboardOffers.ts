import type { IDisposable, IParser } from '@xterm/xterm'

const OSC_CLIPBOARD = 52

export const MOST_OFFER_CHARS = 256_000
/** More than anybody looks through before they copy it. */
const MOST_ENCODED_CHARS = MOST_OFFER_CHARS * 6
/** Of base64: a character has up to three bytes in UTF-8, here six with a margin. */

/** What the program wants in the clipboard, as it sent it; or that it was too much to be looked at. */
export type Offer = { kind: 'text'; text: string } | { kind: 'tooLong' }

/** What the program writes to the clipboard is offered to the person; what it asks of the clipboard is never answered. */
export function offerClipboard(parser: IParser, onOffer: (offer: Offer) => void): IDisposable {
  return parser.registerOscHandler(OSC_CLIPBOARD, (content) => {
    const offer = offerOf(content)
    if (offer !== null) onOffer(offer)
    return true
  })
}

/** `content`: which clipboard, a semicolon, the text in base64. */
export function offerOf(content: string): Offer | null {
  const encoded = content.slice(content.indexOf(';') + 1)
  if (encoded.length > MOST_ENCODED_CHARS) return { kind: 'tooLong' }
  if (!/^[A-Za-z0-9+/]+=*$/.test(encoded)) return null
  try {
    const bytes = Uint8Array.from(atob(encoded), (char) => char.charCodeAt(0))
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return text.length > MOST_OFFER_CHARS ? { kind: 'tooLong' } : { kind: 'text', text }
  } catch {
    // No base64, or no text: nothing that a person could have meant.
    return null
  }
}
