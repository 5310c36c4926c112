/** What is typed before a terminal is attached: kept in order, and no more of it than a person means to type blind. */

const MOST_BYTES = 64 * 1024
/** A paste is longer than what fingers type meanwhile; this is a long one. */

export class HeldKeys {
  #held: Uint8Array<ArrayBuffer>[] = []
  #bytes = 0
  #isFull = false

  /** Once something did not fit, nothing after it is taken either: a command with a hole in it could do harm. */
  add(keys: Uint8Array<ArrayBuffer>): void {
    this.#isFull ||= this.#bytes + keys.byteLength > MOST_BYTES
    if (this.#isFull) return
    this.#held.push(keys)
    this.#bytes += keys.byteLength
  }

  /** Everything held, oldest first. */
  all(): readonly Uint8Array<ArrayBuffer>[] {
    return this.#held
  }
}
