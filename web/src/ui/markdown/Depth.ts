/** How deep calls within calls have become, so that they end at a bound. */
export class Depth {
  readonly #most: number
  #now = 0

  constructor(most: number) {
    this.#most = most
  }

  /** What `call` returns; `undefined` without calling it where it would be too deep. */
  within<Result>(call: () => Result): Result | undefined {
    if (this.#now >= this.#most) return undefined
    this.#now += 1
    try {
      return call()
    } finally {
      this.#now -= 1
    }
  }
}
