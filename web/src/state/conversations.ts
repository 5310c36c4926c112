/** What was said to and by each agent, as far as it was fetched. Absent: nobody looked at it yet. */

import { createStore } from 'zustand/vanilla'
import type { Arrival } from '../wire/outcome'
import type { Item, Items, ServerEvent } from '../wire/shapes'
import { isPerson } from './person'

export interface Conversation {
  /** Of the newest page; what is known is shown meanwhile. */
  newest: Arrival
  /** Ascending by `seq`. */
  items: readonly Item[]
  hasMore: boolean
  /** Of the page before what is known. */
  older: Arrival
}

export type Conversations = ReadonlyMap<string, Conversation>

export const EMPTY: Conversation = {
  newest: 'awaited',
  items: [],
  hasMore: false,
  older: 'there',
}

export const conversationStore = createStore<Conversations>(() => new Map())

export function applyToConversations(conversations: Conversations, event: ServerEvent): Conversations {
  if (event.type !== 'conversationAppended') return conversations
  const { item } = event
  const known = conversations.get(item.agentId)
  // Nobody looks at it: it is fetched when somebody does.
  if (known === undefined) return conversations
  return new Map(conversations).set(item.agentId, { ...known, items: merged(known.items, [item]) })
}

/** The newest page, or one that lies before what is known. */
export function withPage(conversation: Conversation, page: Items, isOlder: boolean): Conversation {
  const last = conversation.items.at(-1)
  const first = page.items[0]
  // After a long absence the newest page may not reach what is known: no hole is shown, the rest is fetched again.
  const isApart = !isOlder && last !== undefined && first !== undefined && first.seq > last.seq + 1
  const items = merged(isApart ? [] : conversation.items, page.items)
  const reachesBack = isOlder || items[0]?.seq === page.items[0]?.seq
  const hasMore = reachesBack ? page.hasMore : conversation.hasMore
  return { newest: isOlder ? conversation.newest : 'there', items, hasMore, older: 'there' }
}

function merged(known: readonly Item[], news: readonly Item[]): readonly Item[] {
  const last = known.at(-1)
  if (news.every((item) => last === undefined || item.seq > last.seq)) return [...known, ...news]
  const bySeq = new Map(known.map((item) => [item.seq, item]))
  for (const item of news) bySeq.set(item.seq, item)
  return [...bySeq.values()].sort((a, b) => a.seq - b.seq)
}

/** What the person wrote and the agent never got; null where it got it, or the person has sent the same since. */
export function messageToSendAgain(items: readonly Item[], failure: Item): string | null {
  if (failure.fields.given !== false) return null
  const own = items.filter((item) => item.kind === 'prompt' && isPerson(item.author))
  const message = own.find((item) => item.turnId === failure.turnId)
  if (message === undefined) return null
  return own.some((item) => item.seq > message.seq && item.text === message.text) ? null : message.text
}

/** What the person wrote to this agent, oldest first, as far as it is loaded. */
export function ownMessages(agentId: string): string[] {
  const items = conversationStore.getState().get(agentId)?.items ?? []
  return items.filter((item) => item.kind === 'prompt' && isPerson(item.author)).map((item) => item.text)
}
