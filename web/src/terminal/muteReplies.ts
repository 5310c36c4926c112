import type { IDisposable, IFunctionIdentifier, IParser } from '@xterm/xterm'

/** Device attributes, status and mode reports, window reports, version, keyboard mode: whatever asks for an answer. */
const QUERIES: readonly IFunctionIdentifier[] = [
  { final: 'c' },
  { prefix: '>', final: 'c' },
  { prefix: '=', final: 'c' },
  { final: 'n' },
  { prefix: '?', final: 'n' },
  { prefix: '>', final: 'q' },
  { intermediates: '$', final: 'p' },
  { prefix: '?', intermediates: '$', final: 'p' },
  { prefix: '?', final: 'u' },
  { final: 't' },
]

/** The palette and the colours of text, background and cursor: set without, asked for with a question mark. */
const COLOURS = [4, 10, 11, 12]

/**
 * Queries have one answerer, the server's terminal: this one swallows them, so that neither a replay nor a second
 * browser types an answer into the program.
 */
export function muteReplies(parser: IParser): IDisposable[] {
  return [
    ...QUERIES.map((query) => parser.registerCsiHandler(query, () => true)),
    ...COLOURS.map((code) => parser.registerOscHandler(code, (content) => content.includes('?'))),
    parser.registerDcsHandler({ intermediates: '$', final: 'q' }, () => true),
    parser.registerDcsHandler({ intermediates: '+', final: 'q' }, () => true),
  ]
}

/** Focus reports (mode 1004) come through the same callback as keys but are no input of a person. */
export function isFocusReport(data: string): boolean {
  return data === '\x1b[I' || data === '\x1b[O'
}
