import { useSyncExternalStore } from 'react'

const QUERY = '(pointer: coarse)'

/** The page is used by touch, so most likely with a keyboard on the screen. */
export function useHasFinger(): boolean {
  return useSyncExternalStore(watch, () => matchMedia(QUERY).matches)
}

function watch(onChange: () => void): () => void {
  const list = matchMedia(QUERY)
  list.addEventListener('change', onChange)
  return () => list.removeEventListener('change', onChange)
}
