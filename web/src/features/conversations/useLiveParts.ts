import { useMemo } from 'react'
import { useStore } from 'zustand'
import { useShallow } from 'zustand/react/shallow'
import { delegationStore } from '../../state/delegations'
import type { Item, LiveTurn, Tool } from '../../wire/shapes'

interface LiveParts {
  /** Tools that the record does not show yet. */
  tools: readonly Tool[]
  /** Asks that the record does not show yet. */
  ticketIds: readonly string[]
  /** The record already shows something of this turn under the agent's name. */
  hasItems: boolean
}

/** What a running turn adds to the part of it that is already in the record. */
export function useLiveParts(turn: LiveTurn | null, items: readonly Item[]): LiveParts {
  const ofTurn = useMemo(() => items.filter((item) => item.turnId === turn?.turnId), [items, turn?.turnId])
  const ticketIds = useStore(
    delegationStore,
    useShallow((all) =>
      [...all.values()]
        .filter((one) => turn !== null && one.requesterTurnId === turn.turnId)
        .filter((one) => !ofTurn.some((item) => item.ticketId === one.ticketId))
        .map((one) => one.ticketId),
    ),
  )
  const recorded = new Set(ofTurn.map((item) => item.tool?.callId))
  const tools = turn?.tools.filter((tool) => !recorded.has(tool.callId) && !isAsk(tool)) ?? []
  return { tools, ticketIds, hasItems: ofTurn.some((item) => item.kind !== 'prompt') }
}

export function isShown(item: Item): boolean {
  return item.tool === null || !isAsk(item.tool)
}

/** The delegation's card says more than the call that made it; a call that failed has no card. */
function isAsk(tool: Tool): boolean {
  return /(^|_)idea_ask_agent$/.test(tool.tool) && tool.phase !== 'failed'
}
