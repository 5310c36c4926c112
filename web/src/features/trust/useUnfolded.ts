import { useState } from 'react'
import type { ProjectFacts } from '../../state/project'
import type { TrustItem } from '../../wire/shapes'
import { isLong } from './isLong'

type Trust = ProjectFacts['trust']

interface Unfolded {
  isUnfolded: (item: TrustItem) => boolean
  unfold: (item: TrustItem) => void
  /** So many are folded still: what was not shown is not approved. */
  left: number
}

/** Which of the long texts the person has had shown. Another content begins anew, but for what it has in common. */
export function useUnfolded({ items }: Trust): Unfolded {
  const [seen, setSeen] = useState<ReadonlySet<string>>(new Set())
  const isUnfolded = (item: TrustItem) => item.note !== null || !isLong(item.text) || seen.has(keyOf(item))
  return {
    isUnfolded,
    unfold: (item) => setSeen(new Set(seen).add(keyOf(item))),
    left: items.filter((item) => !isUnfolded(item)).length,
  }
}

function keyOf({ file, kind, text }: TrustItem): string {
  return JSON.stringify([file, kind, text])
}
