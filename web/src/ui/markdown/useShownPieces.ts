import { startTransition, useEffect, useState } from 'react'

const STEP = 4
/** Pieces that are drawn at once; between two steps the page takes keys and clicks. */

interface ShownPieces {
  /** So many from the beginning. */
  count: number
  isFolded: boolean
  showAll: () => void
}

/** A long text begins folded to `first` pieces, and is shown in steps once the person asks for all of it. */
export function useShownPieces(total: number, first: number): ShownPieces {
  const [wanted, setWanted] = useState<'first' | 'all'>('first')
  const [count, setCount] = useState(first)
  useEffect(() => {
    if (wanted === 'all' && count < total) startTransition(() => setCount(count + STEP))
  }, [wanted, count, total])
  return {
    count: Math.min(count, total),
    isFolded: wanted === 'first' && total > first,
    showAll: () => setWanted('all'),
  }
}
