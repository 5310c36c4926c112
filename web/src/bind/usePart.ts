import { useEffect, useState } from 'react'
import { type Arrival, OFFLINE, UNANSWERED } from '../wire/outcome'

export const PATIENCE_MS = 30_000
/** As for any answer of the server. */

/**
 * A part of the page that is loaded when it is needed first: null until it is there. It may never come, and a browser
 * does not ask a second time for one that failed: only the page anew does.
 */
export function usePart<T>(load: () => Promise<T>): { part: T | null; arrival: Arrival } {
  const [part, setPart] = useState<T | null>(null)
  const [arrival, setArrival] = useState<Arrival>('awaited')
  useEffect(() => {
    let isCurrent = true
    const settle = (end: Arrival, loaded: T | null) => {
      if (!isCurrent) return
      setPart(() => loaded)
      setArrival(end)
    }
    const patience = setTimeout(() => settle(UNANSWERED, null), PATIENCE_MS)
    load()
      .then(
        (loaded) => settle('there', loaded),
        () => settle(OFFLINE, null),
      )
      .finally(() => clearTimeout(patience))
    return () => {
      isCurrent = false
      clearTimeout(patience)
    }
  }, [load])
  return { part, arrival }
}
