/** Whatever is opened is owned here and closed in reverse order. */

export type Close = () => void

export class Owned {
  #closes: Close[] = []
  #isClosed = false

  get isClosed(): boolean {
    return this.#isClosed
  }

  /** After `close`, what is added is closed at once: late arrivals leak nothing. */
  add(close: Close | { dispose: Close }): void {
    const end = typeof close === 'function' ? close : () => close.dispose()
    if (this.#isClosed) end()
    else this.#closes.push(end)
  }

  /** Idempotent. */
  close(): void {
    this.#isClosed = true
    for (const end of this.#closes.splice(0).reverse()) end()
  }
}
