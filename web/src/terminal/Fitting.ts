import type { FitAddon } from '@xterm/addon-fit'
import type { Terminal } from '@xterm/xterm'
import { debounce } from '../lib/debounce'
import { Owned } from '../lib/lifecycle'
import type { TerminalSize } from '../wire/terminalLink'

const FIT_AFTER_MS = 80
const MOST_CELLS = 1000

/** How the terminal's size is to what has room here: it may be another browser's. */
export type Fit = 'fits' | 'tooLarge' | 'tooSmall'

interface FittingOptions {
  terminal: Terminal
  fit: FitAddon
  element: HTMLElement
  /** Asks the terminal's owner for a size, which comes back by `take`. */
  onWanted: (size: TerminalSize) => void
  onFit: (fit: Fit) => void
}

/** The size of a terminal: what has room here is asked for, and the last client that was turned to gets it. */
export class Fitting {
  readonly #owned = new Owned()
  readonly #options: FittingOptions
  /** Its program is gone: nobody draws it anew, so what is there is laid out here. */
  #isOver = false
  #wanted: TerminalSize = { cols: 80, rows: 24 }

  constructor(options: FittingOptions) {
    this.#options = options
    this.#measure()
    const { terminal, element } = options
    const refit = debounce(() => this.refit(), FIT_AFTER_MS)
    const observer = new ResizeObserver(refit)
    observer.observe(element)
    const claim = () => this.#claim()
    terminal.textarea?.addEventListener('focus', claim)
    element.addEventListener('pointerdown', claim)
    this.#owned.add(() => {
      refit.cancel()
      observer.disconnect()
      terminal.textarea?.removeEventListener('focus', claim)
      element.removeEventListener('pointerdown', claim)
    })
  }

  get wanted(): TerminalSize {
    return this.#wanted
  }

  /** What has room may be something else now. */
  refit(): void {
    if (!this.#measure()) return
    if (this.#isOver) this.#layOut()
    else this.#options.onWanted(this.#wanted)
  }

  /** The terminal has this size now. */
  take({ cols, rows }: TerminalSize): void {
    this.#options.terminal.resize(cols, rows)
    const isCut = cols > this.#wanted.cols || rows > this.#wanted.rows
    const isSmall = cols < this.#wanted.cols || rows < this.#wanted.rows
    this.#options.onFit(isCut ? 'tooLarge' : isSmall ? 'tooSmall' : 'fits')
  }

  /** What is drawn is the last of it. */
  end(): void {
    this.#isOver = true
    this.#layOut()
  }

  dispose(): void {
    this.#owned.close()
  }

  #layOut(): void {
    this.#options.terminal.resize(this.#wanted.cols, this.#wanted.rows)
    this.#options.onFit('fits')
  }

  #claim(): void {
    const { cols, rows } = this.#options.terminal
    const isOther = cols !== this.#wanted.cols || rows !== this.#wanted.rows
    if (isOther && !this.#isOver) this.#options.onWanted(this.#wanted)
  }

  /** Measures what fits the element; true if it changed. */
  #measure(): boolean {
    const fitting = this.#options.fit.proposeDimensions()
    if (fitting === undefined || Number.isNaN(fitting.cols)) return false
    const { cols, rows } = { cols: clamp(fitting.cols), rows: clamp(fitting.rows) }
    const isChanged = cols !== this.#wanted.cols || rows !== this.#wanted.rows
    this.#wanted = { cols, rows }
    return isChanged
  }
}

function clamp(size: number): number {
  return Math.min(MOST_CELLS, Math.max(1, size))
}
