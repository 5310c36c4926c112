/** What a tab keeps over a reload and no other tab knows. Losing it is a pity, never a failure. */

/** As JSON; null forgets it. */
export function keepForTab(key: string, value: unknown): void {
  try {
    if (value === null) sessionStorage.removeItem(key)
    else sessionStorage.setItem(key, JSON.stringify(value))
  } catch {
    // More than the browser keeps for us.
  }
}

/** Null where there is nothing, or nothing that can be read. */
export function keptForTab(key: string): unknown {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? 'null')
  } catch {
    return null
  }
}
