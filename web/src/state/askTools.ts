/** An ask's card says more than the tool call that made it, so the call's own line goes where there is a card. */

import type { Delegation, Item, Tool } from '../wire/shapes'

type AskState = Delegation['state']

/** Does this tool ask another agent? CLIs put the server's name before the tool's. */
export function isAsk(tool: Tool): boolean {
  return /(^|_)idea_ask_agent$/.test(tool.tool)
}

/** `stateOf` knows the asks that have a card. A call that was refused made no ask: its line is all there is of it. */
export function withoutAskTools(
  items: readonly Item[],
  stateOf: (ticketId: string) => AskState | undefined,
): readonly Item[] {
  const cards = new Map<string, { failed: number; others: number }>()
  const kept = items.filter((item) => item.kind !== 'asked' || stateOf(item.ticketId ?? '') !== undefined)
  for (const item of kept) {
    if (item.kind !== 'asked') continue
    const { failed, others } = cards.get(item.turnId) ?? { failed: 0, others: 0 }
    const isFailed = stateOf(item.ticketId ?? '') === 'failed'
    cards.set(item.turnId, isFailed ? { failed: failed + 1, others } : { failed, others: others + 1 })
  }
  return kept.filter((item) => {
    if (item.tool === null || !isAsk(item.tool)) return true
    const counts = cards.get(item.turnId)
    if (counts === undefined) return true
    // Which of several failed calls is which card's is nowhere said; as many lines go as there are cards.
    const kind = item.tool.phase === 'failed' ? 'failed' : 'others'
    if (counts[kind] === 0) return true
    counts[kind] -= 1
    return false
  })
}
