import { useCallback, useEffect, useRef } from 'react'

/** Longer than a finger needs for the key it was already on its way to. */
const UNARMED_MS = 600

interface Armed {
  /** The person turns to this one: it takes keys at once. */
  turnTo: (id: string) => void
  isArmed: () => boolean
}

/** What comes into view by itself takes no answer for a moment: the key was meant for the one before. */
export function useArmed(shownId: string | null): Armed {
  const chosen = useRef(shownId)
  const since = useRef(Number.NEGATIVE_INFINITY)
  useEffect(() => {
    if (shownId === chosen.current) return
    chosen.current = shownId
    since.current = performance.now()
  }, [shownId])
  const turnTo = useCallback((id: string) => {
    chosen.current = id
    since.current = Number.NEGATIVE_INFINITY
  }, [])
  const isArmed = useCallback(() => performance.now() - since.current >= UNARMED_MS, [])
  return { turnTo, isArmed }
}
