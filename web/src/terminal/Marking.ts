import type { Terminal } from '@xterm/xterm'

/** A cell, as a count from the first one of the scrollback, row by row. */
type Place = number

/** Chooses a piece of text by keys: arrows go there, with Shift they choose on the way. */
export class Marking {
  readonly #terminal: Terminal
  #anchor: Place
  #cursor: Place

  /** Begins at the program's cursor. */
  constructor(terminal: Terminal) {
    this.#terminal = terminal
    const { baseY, cursorY, cursorX } = terminal.buffer.active
    this.#cursor = (baseY + cursorY) * terminal.cols + Math.min(cursorX, terminal.cols - 1)
    this.#anchor = this.#cursor
    this.#show()
  }

  /** False if the key means nothing here. */
  press(event: KeyboardEvent): boolean {
    if (event.code === 'KeyA' && (event.ctrlKey || event.metaKey)) {
      this.#anchor = 0
      this.#cursor = this.#last
      this.#show()
      return true
    }
    const next = this.#next(event)
    if (next === null) return false
    this.#cursor = Math.min(this.#last, Math.max(0, next))
    if (!event.shiftKey) this.#anchor = this.#cursor
    this.#show()
    return true
  }

  get #last(): Place {
    return this.#terminal.buffer.active.length * this.#terminal.cols - 1
  }

  #next({ key, ctrlKey }: KeyboardEvent): Place | null {
    const { cols, rows } = this.#terminal
    const column = this.#cursor % cols
    switch (key) {
      case 'ArrowLeft':
        return this.#cursor - 1
      case 'ArrowRight':
        return this.#cursor + 1
      case 'ArrowUp':
        return Math.max(column, this.#cursor - cols)
      case 'ArrowDown':
        return Math.min(this.#last - cols + 1 + column, this.#cursor + cols)
      case 'PageUp':
        return Math.max(column, this.#cursor - cols * rows)
      case 'PageDown':
        return Math.min(this.#last - cols + 1 + column, this.#cursor + cols * rows)
      case 'Home':
        return ctrlKey ? 0 : this.#cursor - column
      case 'End':
        return ctrlKey ? this.#last : this.#cursor - column + cols - 1
      default:
        return null
    }
  }

  #show(): void {
    const { cols, rows } = this.#terminal
    const first = Math.min(this.#anchor, this.#cursor)
    this.#terminal.select(first % cols, Math.floor(first / cols), Math.abs(this.#cursor - this.#anchor) + 1)
    const row = Math.floor(this.#cursor / cols)
    const top = this.#terminal.buffer.active.viewportY
    if (row < top) this.#terminal.scrollToLine(row)
    else if (row >= top + rows) this.#terminal.scrollToLine(row - rows + 1)
  }
}
