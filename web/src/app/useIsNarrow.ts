import { useSyncExternalStore } from 'react'

const QUERY = '(max-width: 720px)'

/** A phone, or a window as narrow as one. */
export function useIsNarrow(): boolean {
  return useSyncExternalStore(watch, () => matchMedia(QUERY).matches)
}

function watch(onChange: () => void): () => void {
  const list = matchMedia(QUERY)
  list.addEventListener('change', onChange)
  return () => list.removeEventListener('change', onChange)
}
