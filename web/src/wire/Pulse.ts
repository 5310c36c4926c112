/** Whether the other end of a socket still answers: asks when an answer is due, and says so when none comes. */

const HESITATION_MS = 1000
/** What comes by itself within this time (an echo, an event) needs no question. */
const ANSWER_MS = 4000
/** A server that is busy answers within this time; one that does not is as good as lost. */
const LATE_MS = 1500
/** A timer that is so late fired after a sleep of the machine, or of the page: the answer had no chance to be read. */

export interface PulseOptions {
  ask: () => void
  onSilence: () => void
  now: () => number
}

type Timer = ReturnType<typeof setTimeout>

export class Pulse {
  readonly #options: PulseOptions
  #question: Timer | undefined
  #verdict: Timer | undefined
  /** Since when something is due; null while nothing is. */
  #dueSinceMs: number | null = null

  constructor(options: PulseOptions) {
    this.#options = options
  }

  /** Longer than a healthy server ever takes. */
  get isDoubtful(): boolean {
    return this.#dueSinceMs !== null && this.#options.now() - this.#dueSinceMs >= HESITATION_MS
  }

  /** Something was sent that is mostly answered by itself. */
  expect(): void {
    if (this.#dueSinceMs !== null) return
    this.#dueSinceMs = this.#options.now()
    this.#question = setTimeout(() => this.#askNow(), HESITATION_MS)
  }

  ask(): void {
    if (this.#verdict !== undefined) return
    this.#dueSinceMs ??= this.#options.now()
    this.#askNow()
  }

  /** Any sign of life. */
  heard(): void {
    this.#dueSinceMs = null
    this.dispose()
  }

  dispose(): void {
    clearTimeout(this.#question)
    clearTimeout(this.#verdict)
    this.#question = undefined
    this.#verdict = undefined
  }

  #askNow(): void {
    this.dispose()
    const judgedAtMs = this.#options.now() + ANSWER_MS
    this.#verdict = setTimeout(() => {
      if (this.#options.now() > judgedAtMs + LATE_MS) this.#askNow()
      else this.#options.onSilence()
    }, ANSWER_MS)
    // Last: who is asked along may ask this one in turn.
    this.#options.ask()
  }
}
