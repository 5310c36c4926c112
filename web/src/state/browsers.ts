/** The browsers and programs that have a key to IdeA, as far as somebody looks at them. */

import { createStore } from 'zustand/vanilla'
import { api } from '../wire/api'
import type { Failure } from '../wire/outcome'
import type { Credential } from '../wire/shapes'

export interface Browsers {
  list: readonly Credential[]
  /** A start link that was made just now. */
  link: string | null
  /** What was not done last. */
  trouble: { what: 'notListed' | 'notRevoked' | 'notLinked'; failure: Failure } | null
}

const UNSEEN: Browsers = { list: [], link: null, trouble: null }

export const browserStore = createStore<Browsers>(() => UNSEEN)

let lookers = 0

/** Until the result is called. Forgets a link that was made: somebody else may be looking now. */
export function lookAtBrowsers(): () => void {
  lookers += 1
  browserStore.setState({ link: null, trouble: null })
  void list()
  return () => {
    lookers -= 1
  }
}

/** There may be another list, for those who look at it. */
export function relistBrowsers(): void {
  if (lookers > 0) void list()
}

export async function revokeBrowser(id: string): Promise<void> {
  const result = await api.revoke(id)
  // Revoked meanwhile, by somebody else.
  if (result.ok || result.failure.code === 'NOT_FOUND') return list()
  browserStore.setState({ trouble: { what: 'notRevoked', failure: result.failure } })
}

export async function makeLink(): Promise<void> {
  const result = await api.newLink()
  browserStore.setState(
    result.ok ? { link: result.value.url, trouble: null } : { trouble: { what: 'notLinked', failure: result.failure } },
  )
}

async function list(): Promise<void> {
  const result = await api.credentials()
  browserStore.setState(
    result.ok ? { list: result.value, trouble: null } : { trouble: { what: 'notListed', failure: result.failure } },
  )
}
