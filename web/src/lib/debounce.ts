export interface Debounced {
  (): void
  cancel(): void
  /** Runs now if a run is due. */
  flush(): void
}

/** Runs `task` once, `delayMs` after the last call. */
export function debounce(task: () => void, delayMs: number): Debounced {
  let timer: ReturnType<typeof setTimeout> | undefined
  const debounced = () => {
    clearTimeout(timer)
    timer = setTimeout(run, delayMs)
  }
  const run = () => {
    timer = undefined
    task()
  }
  debounced.cancel = () => {
    clearTimeout(timer)
    timer = undefined
  }
  debounced.flush = () => {
    if (timer === undefined) return
    clearTimeout(timer)
    run()
  }
  return debounced
}
