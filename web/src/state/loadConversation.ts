/** Fetching what was said, page by page. */

import { api } from '../wire/api'
import type { Arrival, Outcome } from '../wire/outcome'
import type { Items } from '../wire/shapes'
import { agentStore } from './agents'
import { type Conversation, conversationStore, EMPTY, withPage } from './conversations'

const PAGE_ITEMS = 60

/** Fetches the newest page; what is known stays. */
export async function loadConversation(agentId: string): Promise<void> {
  const known = conversationStore.getState().get(agentId) ?? EMPTY
  await load(agentId, 'newest', known, {})
}

export async function loadOlder(agentId: string): Promise<void> {
  const known = conversationStore.getState().get(agentId)
  const first = known?.items[0]
  if (!known?.hasMore || known.older === 'awaited' || first === undefined) return
  await load(agentId, 'older', known, { before: first.seq })
}

export function reloadConversations(): void {
  for (const agentId of conversationStore.getState().keys()) void loadConversation(agentId)
}

async function load(
  agentId: string,
  which: 'newest' | 'older',
  known: Conversation,
  query: { before?: number },
): Promise<void> {
  const agent = agentStore.getState().get(agentId)
  // It would be awaited for ever, also by an agent that comes back.
  if (agent === undefined) return drop(agentId)
  put(agentId, { ...known, ...standing(which, 'awaited') })
  take(
    agentId,
    which,
    await api.conversation({ project: agent.projectId, agent: agentId }, { ...query, limit: PAGE_ITEMS }),
  )
}

function take(agentId: string, which: 'newest' | 'older', page: Outcome<Items>): void {
  const known = conversationStore.getState().get(agentId)
  if (known === undefined) return
  if (page.ok) return put(agentId, withPage(known, page.value, which === 'older'))
  put(agentId, { ...known, ...standing(which, page.failure) })
}

function standing(
  which: 'newest' | 'older',
  arrival: Arrival,
): Pick<Conversation, 'newest'> | Pick<Conversation, 'older'> {
  return which === 'newest' ? { newest: arrival } : { older: arrival }
}

function put(agentId: string, conversation: Conversation): void {
  conversationStore.setState((all) => new Map(all).set(agentId, conversation), true)
}

function drop(agentId: string): void {
  conversationStore.setState((all) => new Map([...all].filter(([id]) => id !== agentId)), true)
}
