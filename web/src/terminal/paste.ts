/** How a text is typed into a terminal: as one piece, with nothing in it that could act as a key. */

export const MOST_PASTE_BYTES = 512 * 1024
/** The server takes twice as much of keys that wait; a program seldom does. */

const BEGIN = '\x1b[200~'
const END = '\x1b[201~'
/** `isBracketed`: the program asked to be told where a pasted text begins and ends, and takes it as text. */
export function typedPaste(cleaned: string, isBracketed: boolean): string {
  const typed = cleaned.replaceAll('\n', '\r')
  return isBracketed ? BEGIN + typed + END : typed
}

export function isTooLong(cleaned: string): boolean {
  return new TextEncoder().encode(cleaned).byteLength > MOST_PASTE_BYTES
}

/** The program would carry out every line but the last before the person sees it. */
export function actsAtOnce(cleaned: string, isBracketed: boolean): boolean {
  return !isBracketed && cleaned.trimEnd().includes('\n')
}
