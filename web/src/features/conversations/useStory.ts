import { useMemo } from 'react'
import { useStore } from 'zustand'
import { useShallow } from 'zustand/react/shallow'
import { withoutAskTools } from '../../state/askTools'
import { delegationStore } from '../../state/delegations'
import { type StoryPart, storyOf } from '../../state/turnStory'
import type { Item, LiveTurn } from '../../wire/shapes'

/** The conversation with what the running turn adds to it, each in its place. */
export function useStory(recorded: readonly Item[], turn: LiveTurn | null): readonly StoryPart[] {
  const states = useStore(
    delegationStore,
    useShallow((all) =>
      recorded.map((item) => (item.kind === 'asked' ? all.get(item.ticketId ?? '')?.state : undefined)),
    ),
  )
  const items = useMemo(() => {
    const known = new Map(recorded.map((item, index) => [item.kind === 'asked' ? item.ticketId : null, states[index]]))
    return withoutAskTools(recorded, (ticketId) => known.get(ticketId))
  }, [recorded, states])
  const asks = useStore(
    delegationStore,
    useShallow((all) =>
      turn === null
        ? []
        : [...all.values()].filter(
            (one) => one.requesterTurnId === turn.turnId && !items.some((item) => item.ticketId === one.ticketId),
          ),
    ),
  )
  // biome-ignore lint/correctness/useExhaustiveDependencies: the streamed text and the tools change nothing in it.
  return useMemo(() => storyOf(items, turn, asks), [items, turn?.turnId, turn?.announcements, asks])
}
