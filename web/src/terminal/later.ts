/** What a terminal can do without for a while: for all of a page one thing at a time, when the page has nothing else to do. */

/** Tells by its argument that it is done. */
export type Work = (done: () => void) => void

const IDLE_WITHIN_MS = 1000
/** A page that is never idle comes to it all the same. */
const PATIENCE_MS = 3000
/** What is not done by then keeps nothing else waiting. */

const waiting: Work[] = []
let isBusy = false

/** Returns what takes it back, as long as it has not begun. */
export function later(work: Work): () => void {
  waiting.push(work)
  goOn()
  return () => {
    const at = waiting.indexOf(work)
    if (at !== -1) waiting.splice(at, 1)
  }
}

function goOn(): void {
  if (isBusy || waiting.length === 0) return
  isBusy = true
  whenIdle(() => {
    const work = waiting.shift()
    let isOver = false
    const end = () => {
      if (isOver) return
      isOver = true
      clearTimeout(patience)
      isBusy = false
      goOn()
    }
    const patience = setTimeout(end, PATIENCE_MS)
    if (work === undefined) end()
    else work(end)
  })
}

function whenIdle(call: () => void): void {
  // Safari has none.
  if (typeof requestIdleCallback === 'undefined') setTimeout(call)
  else requestIdleCallback(call, { timeout: IDLE_WITHIN_MS })
}
