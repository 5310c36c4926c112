/** What the sentences of both catalogues fill in. */

/** Gives what the server named so; empty if it named nothing. */
export type Named = (field: string) => string
export type Say = (named: Named) => string

/** ` (pid 12)` where one is known. */
export function withPid(named: Named): string {
  return named('pid') === '' ? '' : ` (pid ${named('pid')})`
}

/** `code 3` or `signal 9`, in both languages. */
export function exitOf(named: Named): string {
  return named('signal') === '' ? `code ${named('code')}` : `signal ${named('signal')}`
}

/** Where in a file, where that is known. */
export function atLine(named: Named, before: string): string {
  const line = named('line')
  return line === '' ? '' : before + line
}
