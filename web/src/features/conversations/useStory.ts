import { useMemo } from 'react'
import { useStore } from 'zustand'
import { useShallow } from 'zustand/react/shallow'
import { delegationStore } from '../../state/delegations'
import { type StoryPart, storyOf } from '../../state/turnStory'
import type { Item, LiveTurn } from '../../wire/shapes'
import { isAsk } from './isAsk'

/** The conversation with what the running turn adds to it, each in its place. */
export function useStory(recorded: readonly Item[], turn: LiveTurn | null): readonly StoryPart[] {
  const items = useMemo(() => recorded.filter((item) => item.tool === null || !isAsk(item.tool)), [recorded])
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
