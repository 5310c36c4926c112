/** How a text is typed into a terminal: as one piece, with nothing in it that could act as a key. */

export const MOST_PASTE_BYTES = 512 * 1024
/** The server takes twice as much of keys that wait; a program seldom does. */

const BEGIN = '\x1b[200~'
const END = '\x1b[201~'
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is to be taken out, all but tab and newline.
const CONTROLS = /[\x00-\x08\x0b-\x1f\x7f-\x9f]/g

/** Lines end as the Enter key ends them; control characters, with which a text could leave its brackets, are gone. */
export function cleanPaste(text: string): string {
  return text.replace(/\r\n?/g, '\n').replace(CONTROLS, '')
}

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
