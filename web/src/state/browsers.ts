/** The browsers and programs that have a key to IdeA, as far as somebody looks at them. */

import { createStore } from 'zustand/vanilla'
import { api } from '../wire/api'
import { type Arrival, arrivalOf, type Failure } from '../wire/outcome'
import type { Credential } from '../wire/shapes'

export interface Browsers {
  list: readonly Credential[]
  arrival: Arrival
  /** A start link that was made just now. */
  link: string | null
  /** What was not done last. */
  trouble: { what: 'notRevoked' | 'notLinked'; failure: Failure } | null
}

const UNSEEN: Browsers = { list: [], arrival: 'awaited', link: null, trouble: null }

export const browserStore = createStore<Browsers>(() => UNSEEN)

let lookers = 0

/** Until the result is called. Forgets a link that was made: somebody else may be looking now. */
export function lookAtBrowsers(): () => void {
  lookers += 1
  browserStore.setState({ link: null, trouble: null })
  void listBrowsers()
  return () => {
    lookers -= 1
  }
}

/** There may be another list, for those who look at it. */
export function relistBrowsers(): void {
  if (lookers > 0) void listBrowsers()
}

export async function revokeBrowser(id: string): Promise<void> {
  const result = await api.revoke(id)
  // Revoked meanwhile, by somebody else.
  if (result.ok || result.failure.code === 'NOT_FOUND') return listBrowsers()
  browserStore.setState({ trouble: { what: 'notRevoked', failure: result.failure } })
}

export async function makeLink(): Promise<void> {
  const result = await api.newLink()
  browserStore.setState(
    result.ok ? { link: result.value.url, trouble: null } : { trouble: { what: 'notLinked', failure: result.failure } },
  )
}

/** Who is listed stays shown meanwhile. */
export async function listBrowsers(): Promise<void> {
  const { list } = browserStore.getState()
  browserStore.setState({ arrival: list.length > 0 ? 'there' : 'awaited' })
  const result = await api.credentials()
  browserStore.setState({
    list: result.ok ? result.value : list,
    arrival: arrivalOf(result),
    ...(result.ok ? { trouble: null } : {}),
  })
}
