import { useEffect, useState } from 'react'
import { useStore } from 'zustand'
import { settledStore } from '../state/permissions'

const UNARMED_MS = 600
/** Longer than a finger needs for the button it was already on its way to. */

/** False for a moment after this came into view, or moved because a request went: the press was meant for what was there. */
export function useIsArmed(): boolean {
  const settled = useStore(settledStore)
  const [armedAfter, setArmedAfter] = useState<number | null>(null)
  useEffect(() => {
    const timer = setTimeout(() => setArmedAfter(settled), UNARMED_MS)
    return () => clearTimeout(timer)
  }, [settled])
  return armedAfter === settled
}
