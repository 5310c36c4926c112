/** Takes the keyboard to something that is there, or is about to be drawn. */

const PATIENCE_MS = 2000
/** What is not there by then does not come because it was asked for. */

/**
 * At once, else with the change of the page that brings it. Not any more once the person has pressed something: then
 * that is where the keyboard is wanted. The result ends the wait.
 */
export function focusWhenThere(find: () => HTMLElement | null): () => void {
  const ends = new AbortController()
  const end = () => ends.abort()
  const attempt = () => {
    const found = find()
    found?.focus({ preventScroll: true })
    if (found !== null && document.activeElement === found) end()
  }
  attempt()
  if (ends.signal.aborted) return end
  const observer = new MutationObserver(attempt)
  observer.observe(document.body, { childList: true, subtree: true, attributes: true, attributeFilter: ['hidden'] })
  const limit = setTimeout(end, PATIENCE_MS)
  ends.signal.addEventListener('abort', () => {
    observer.disconnect()
    clearTimeout(limit)
  })
  for (const type of ['keydown', 'pointerdown']) {
    document.addEventListener(type, end, { capture: true, signal: ends.signal })
  }
  return end
}
