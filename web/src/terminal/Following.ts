import type { Terminal } from '@xterm/xterm'
import { Owned } from '../lib/lifecycle'

/** Whether the person sees the newest lines, and how many they do not see. */
export class Following {
  readonly #owned = new Owned()
  readonly #terminal: Terminal
  readonly #onChange: (linesBelow: number | null) => void
  #linesBelow: number | null = null
  #isPainting = false
  #rowsFromEnd = 0

  constructor(terminal: Terminal, onChange: (linesBelow: number | null) => void) {
    this.#terminal = terminal
    this.#onChange = onChange
    this.#owned.add(terminal.onLineFeed(() => this.#count()))
    // Scrolling by a person tells nobody but the renderer.
    this.#owned.add(terminal.onRender(() => this.#look()))
    this.#owned.add(terminal.onScroll(() => this.#look()))
  }

  /** The person reads what is above the screen. */
  get isAbove(): boolean {
    return this.#linesBelow !== null
  }

  /** What a picture shows is nothing new. */
  beginPicture(): void {
    const { baseY, viewportY } = this.#terminal.buffer.active
    this.#isPainting = true
    this.#rowsFromEnd = baseY - viewportY
  }

  /** The person is as far from the end as before. */
  endPicture(): void {
    this.#isPainting = false
    if (this.#rowsFromEnd === 0) return
    this.#terminal.scrollToLine(Math.max(0, this.#terminal.buffer.active.baseY - this.#rowsFromEnd))
  }

  dispose(): void {
    this.#owned.close()
  }

  #count(): void {
    if (this.#linesBelow !== null && !this.#isPainting) this.#set(this.#linesBelow + 1)
  }

  #look(): void {
    if (this.#isPainting) return
    const { baseY, viewportY } = this.#terminal.buffer.active
    if (viewportY >= baseY) this.#set(null)
    else if (this.#linesBelow === null) this.#set(0)
  }

  #set(linesBelow: number | null): void {
    if (linesBelow === this.#linesBelow) return
    this.#linesBelow = linesBelow
    this.#onChange(linesBelow)
  }
}
