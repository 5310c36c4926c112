import { useSyncExternalStore } from 'react'

/** A phone, held either way, or a window as narrow as one. The styles say the same. */
export const NARROW = '(max-width: 720px), (max-width: 960px) and (max-height: 480px)'

export function useIsNarrow(): boolean {
  return useSyncExternalStore(watch, () => matchMedia(NARROW).matches)
}

function watch(onChange: () => void): () => void {
  const list = matchMedia(NARROW)
  list.addEventListener('change', onChange)
  return () => list.removeEventListener('change', onChange)
}
