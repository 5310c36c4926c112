/** A conversation in the order in which it happened: what is recorded, and between it what the running turn said on the way. */

import type { Item, LiveTurn } from '../wire/shapes'

export type StoryPart =
  | { kind: 'item'; key: string; item: Item }
  | { kind: 'said'; key: string; said: LiveTurn['announcements'] }
  | { kind: 'ask'; key: string; ticketId: string }

interface OpenAsk {
  ticketId: string
  askedAtMs: number
}

/** The whole conversation; `asks` are those of the running turn that the record does not show yet. */
export function storyOf(items: readonly Item[], turn: LiveTurn | null, asks: readonly OpenAsk[]): readonly StoryPart[] {
  const start = startOfTurn(items, turn)
  const parts = items.slice(0, start).map(partOf)
  const said = [...(turn?.announcements ?? [])]
  const sayUntil = (atMs: number) => {
    const now = said.splice(0, said.filter((one) => one.atMs <= atMs).length)
    if (now[0] !== undefined) parts.push({ kind: 'said', key: `said-${now[0].atMs}-${parts.length}`, said: now })
  }
  for (const item of items.slice(start)) {
    if (item.kind !== 'prompt') sayUntil(item.atMs)
    parts.push(partOf(item))
  }
  for (const { ticketId, askedAtMs } of [...asks].sort((a, b) => a.askedAtMs - b.askedAtMs)) {
    sayUntil(askedAtMs)
    parts.push({ kind: 'ask', key: `ask-${ticketId}`, ticketId })
  }
  sayUntil(Number.POSITIVE_INFINITY)
  return parts
}

function partOf(item: Item): StoryPart {
  return { kind: 'item', key: `item-${item.seq}`, item }
}

/** The index of the running turn's first item; the number of items if it has none. */
function startOfTurn(items: readonly Item[], turn: LiveTurn | null): number {
  const index = turn === null ? -1 : items.findIndex((item) => item.turnId === turn.turnId)
  return index < 0 ? items.length : index
}

/** The agent's name stands over its first line after somebody else's. */
export function isFirstLine(before: StoryPart | undefined, turnId: string): boolean {
  if (before?.kind !== 'item') return before === undefined
  const { kind, turnId: ofTurn } = before.item
  return kind === 'prompt' || kind === 'failure' || ofTurn !== turnId
}
