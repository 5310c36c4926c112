import { useEffect, useState } from 'react'

/** Longer than a hand needs for the key or the place it was already on its way to. */
const UNARMED_MS = 600

interface Armed {
  isArmed: boolean
  /** The person turns to this one: it takes an answer at once. */
  turnTo: (shown: string) => void
}

/**
 * What comes under the hand by itself takes no answer for a moment: the click or the key was meant for what was there
 * before. `shown` names all that stands in the place; with `begun` it takes answers from the beginning.
 */
export function useArmed(shown: string, begun?: 'armed'): Armed {
  const [armed, setArmed] = useState(begun === 'armed' ? shown : null)
  useEffect(() => {
    const timer = setTimeout(() => setArmed(shown), UNARMED_MS)
    return () => clearTimeout(timer)
  }, [shown])
  return { isArmed: armed === shown, turnTo: setArmed }
}
