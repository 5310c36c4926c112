/** Fetching what was said, page by page. */

import { api } from '../wire/api'
import type { Outcome } from '../wire/outcome'
import type { Items } from '../wire/shapes'
import { agentStore } from './agents'
import { type Conversation, conversationStore, EMPTY, withPage } from './conversations'

const PAGE_ITEMS = 60

/** Fetches the newest page; repeats while one is under way are ignored. */
export async function loadConversation(agentId: string): Promise<void> {
  const known = conversationStore.getState().get(agentId)
  put(agentId, { ...(known ?? EMPTY), phase: known?.phase === 'ready' ? 'ready' : 'loading' })
  const page = await fetchPage(agentId, {})
  if (page !== null) take(agentId, page, false)
}

export async function loadOlder(agentId: string): Promise<void> {
  const known = conversationStore.getState().get(agentId)
  const first = known?.items[0]
  if (!known?.hasMore || known.isLoadingOlder || first === undefined) return
  put(agentId, { ...known, isLoadingOlder: true })
  const page = await fetchPage(agentId, { before: first.seq })
  if (page !== null) take(agentId, page, true)
}

export function reloadConversations(): void {
  for (const agentId of conversationStore.getState().keys()) {
    if (agentStore.getState().has(agentId)) void loadConversation(agentId)
    else drop(agentId)
  }
}

async function fetchPage(agentId: string, query: { before?: number }): Promise<Outcome<Items> | null> {
  const agent = agentStore.getState().get(agentId)
  if (agent === undefined) return null
  return api.conversation({ project: agent.projectId, agent: agentId }, { ...query, limit: PAGE_ITEMS })
}

function take(agentId: string, page: Outcome<Items>, isOlder: boolean): void {
  const known = conversationStore.getState().get(agentId)
  if (known === undefined) return
  if (page.ok) return put(agentId, withPage(known, page.value, isOlder))
  // What is already shown stays; only an empty view says that it failed.
  const phase = known.items.length > 0 ? 'ready' : 'failed'
  put(agentId, { ...known, phase, isLoadingOlder: false, failure: page.failure })
}

function put(agentId: string, conversation: Conversation): void {
  conversationStore.setState((all) => new Map(all).set(agentId, conversation), true)
}

function drop(agentId: string): void {
  conversationStore.setState((all) => new Map([...all].filter(([id]) => id !== agentId)), true)
}
