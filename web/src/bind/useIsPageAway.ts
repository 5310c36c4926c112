import { useEffect, useState } from 'react'

export const AWAY_AFTER_MS = 15_000
/** Who looks at another tab for a moment finds everything as it was; who stays away is not waited for. */

/** The whole page has been out of sight for a while. Browsers slow such a page down, and it would slow others down with it. */
export function useIsPageAway(): boolean {
  const [isAway, setIsAway] = useState(false)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const look = () => {
      clearTimeout(timer)
      if (document.visibilityState === 'visible') setIsAway(false)
      else timer = setTimeout(() => setIsAway(true), AWAY_AFTER_MS)
    }
    look()
    document.addEventListener('visibilitychange', look)
    return () => {
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', look)
    }
  }, [])
  return isAway
}
