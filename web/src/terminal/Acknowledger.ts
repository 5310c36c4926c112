import { debounce } from '../lib/debounce'

const EVERY_BYTES = 128 * 1024
/** Half of what the server waits for at most, so that it never pauses for an acknowledgement on its way. */
const IDLE_MS = 100

/** Tells the server how much was parsed since the last picture: not when received, xterm.js queues without bound. */
export class Acknowledger {
  readonly #tell: (bytes: number) => void
  #parsedBytes = 0
  #toldBytes = 0
  /** Bytes of before a picture may still be in the parser's queue; they count for nobody. */
  #generation = 0

  constructor(tell: (bytes: number) => void) {
    this.#tell = tell
  }

  begin(): void {
    this.#generation += 1
    this.#parsedBytes = 0
    this.#toldBytes = 0
  }

  /** To be called when so many bytes, received now, are parsed. */
  received(bytes: number): () => void {
    const generation = this.#generation
    return () => {
      if (generation !== this.#generation) return
      this.#parsedBytes += bytes
      if (this.#parsedBytes - this.#toldBytes >= EVERY_BYTES) this.#tellNow()
      else this.#tellSoon()
    }
  }

  dispose(): void {
    this.#tellSoon.cancel()
  }

  readonly #tellSoon = debounce(() => this.#tellNow(), IDLE_MS)

  #tellNow(): void {
    if (this.#parsedBytes === this.#toldBytes) return
    this.#toldBytes = this.#parsedBytes
    this.#tell(this.#parsedBytes)
  }
}
