import { useSyncExternalStore } from 'react'

const TICK_MS = 1000
const listeners = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  timer ??= setInterval(() => {
    for (const each of listeners) each()
  }, TICK_MS)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

/**
 * What `read` makes of the present time, read again each second: only another text or number renders anew.
 * One timer serves the whole page, and none runs while no clock is shown.
 */
export function useClock<T extends string | number>(read: () => T): T {
  return useSyncExternalStore(subscribe, read)
}
