/** One terminal: xterm.js and its socket, without React. Made when shown, closed when hidden; the server keeps the screen. */

import { FitAddon } from '@xterm/addon-fit'
import { WebLinksAddon } from '@xterm/addon-web-links'
import { Terminal } from '@xterm/xterm'
import { debounce } from '../lib/debounce'
import { Owned } from '../lib/lifecycle'
import type { TerminalServerFrame } from '../wire/shapes'
import {
  TerminalLink,
  type TerminalLinkOptions,
  type TerminalPhase,
  type TerminalSize,
  type TerminalWire,
} from '../wire/terminalLink'
import { measureCharacters } from './characters'
import { isFocusReport, muteReplies } from './muteReplies'
import { terminalTheme } from './theme'

const ACK_EVERY_BYTES = 128 * 1024
/** Half of what the server waits for at most, so that it never pauses for an acknowledgement on its way. */
const ACK_IDLE_MS = 100
const FIT_AFTER_MS = 80
const SCROLLBACK_LINES = 5000
const SCROLLBAR_PX = 10

export interface TerminalOptions {
  element: HTMLElement
  projectId: string
  agentId: string
  credential: string
  label: string
  onPhase: (phase: TerminalPhase) => void
  /** Another client owns the size, and its screen is larger than what is in sight here. */
  onCut: (isCut: boolean) => void
  openLink?: (options: TerminalLinkOptions) => TerminalWire
}

export class TerminalController {
  readonly #owned = new Owned()
  readonly #terminal: Terminal
  readonly #fit = new FitAddon()
  readonly #link: TerminalWire
  readonly #options: TerminalOptions
  #parsedBytes = 0
  #ackedBytes = 0
  /** Bytes of before a `reset` may still be in the parser's queue; they count for nobody. */
  #generation = 0
  #wanted: TerminalSize = { cols: 80, rows: 24 }

  constructor(options: TerminalOptions) {
    this.#options = options
    const { element, projectId, agentId, credential, onPhase } = options
    const openLink = options.openLink ?? ((wanted) => new TerminalLink(wanted))
    this.#terminal = this.#createTerminal()
    this.#link = openLink({
      projectId,
      agentId,
      credential,
      size: () => this.#wanted,
      listener: { onPhase, onFrame: (frame) => this.#takeFrame(frame), onBytes: (bytes) => this.#takeBytes(bytes) },
    })
    this.#owned.add(this.#terminal)
    this.#owned.add(() => this.#link.close())
    this.#terminal.open(element)
    this.#terminal.textarea?.setAttribute('aria-label', options.label)
    this.#measure()
    void this.#drawOnGpu()
    this.#connectInput()
    this.#followSize(element)
    this.#link.open()
  }

  focus(): void {
    this.#terminal.focus()
  }

  /** Takes the page's colours anew, after a change of theme. */
  paint(): void {
    this.#terminal.options.theme = terminalTheme(this.#options.element)
  }

  close(): void {
    this.#owned.close()
  }

  #createTerminal(): Terminal {
    const terminal = new Terminal({
      allowProposedApi: true,
      cursorBlink: true,
      fontFamily: getComputedStyle(this.#options.element).getPropertyValue('--font-mono'),
      fontSize: 12,
      scrollback: SCROLLBACK_LINES,
      overviewRuler: { width: SCROLLBAR_PX },
      theme: terminalTheme(this.#options.element),
      linkHandler: { activate: (_, uri) => visit(uri) },
    })
    terminal.loadAddon(this.#fit)
    terminal.loadAddon(new WebLinksAddon((_, uri) => visit(uri)))
    measureCharacters(terminal)
    for (const muted of muteReplies(terminal.parser)) this.#owned.add(muted)
    return terminal
  }

  /** Draws on the GPU where there is one; without, or once its context is lost, the built-in renderer serves. */
  async #drawOnGpu(): Promise<void> {
    const { WebglAddon } = await import('@xterm/addon-webgl')
    if (this.#owned.isClosed) return
    try {
      const webgl = new WebglAddon()
      webgl.onContextLoss(() => webgl.dispose())
      this.#terminal.loadAddon(webgl)
    } catch {
      // No WebGL in this browser: nothing is lost but speed.
    }
  }

  #connectInput(): void {
    const encoder = new TextEncoder()
    this.#owned.add(
      this.#terminal.onData((data) => {
        if (!isFocusReport(data)) this.#link.sendKeys(encoder.encode(data))
      }),
    )
    this.#terminal.attachCustomKeyEventHandler((event) => !this.#copies(event))
    this.#owned.add(
      this.#terminal.onBinary((data) => this.#link.sendKeys(Uint8Array.from(data, (char) => char.charCodeAt(0)))),
    )
  }

  /** Ctrl Shift C copies what is selected, as in other terminals: Ctrl C is the program's. Pasting is the browser's own. */
  #copies(event: KeyboardEvent): boolean {
    if (!event.ctrlKey || !event.shiftKey || event.altKey || event.code !== 'KeyC') return false
    // Else some browsers open their tools.
    event.preventDefault()
    const selected = this.#terminal.getSelection()
    if (event.type === 'keydown' && selected !== '') {
      // A browser that refuses leaves the selection, so its own menu still copies it.
      void navigator.clipboard?.writeText(selected).catch(() => {})
    }
    return true
  }

  #followSize(element: HTMLElement): void {
    const refit = debounce(() => {
      if (this.#measure()) this.#link.sendResize(this.#wanted)
    }, FIT_AFTER_MS)
    const observer = new ResizeObserver(refit)
    observer.observe(element)
    // The last client that was focused owns the size.
    const claim = () => {
      const { cols, rows } = this.#terminal
      if (cols !== this.#wanted.cols || rows !== this.#wanted.rows) this.#link.sendResize(this.#wanted)
    }
    this.#terminal.textarea?.addEventListener('focus', claim)
    element.addEventListener('pointerdown', claim)
    this.#owned.add(() => {
      refit.cancel()
      observer.disconnect()
      this.#terminal.textarea?.removeEventListener('focus', claim)
      element.removeEventListener('pointerdown', claim)
    })
  }

  /** The size that fits the element; true if it changed. */
  #measure(): boolean {
    const fitting = this.#fit.proposeDimensions()
    if (fitting === undefined || Number.isNaN(fitting.cols)) return false
    const { cols, rows } = { cols: clamp(fitting.cols), rows: clamp(fitting.rows) }
    const isChanged = cols !== this.#wanted.cols || rows !== this.#wanted.rows
    this.#wanted = { cols, rows }
    return isChanged
  }

  #takeFrame(frame: TerminalServerFrame): void {
    switch (frame.type) {
      case 'reset':
        this.#generation += 1
        this.#parsedBytes = 0
        this.#ackedBytes = 0
        return this.#inOrder(() => {
          this.#terminal.reset()
          this.#resize(frame)
        })
      case 'resized':
        return this.#inOrder(() => this.#resize(frame))
      case 'ended':
        // The last screen stays, without a cursor that promises an answer.
        this.#terminal.options.cursorBlink = false
        this.#terminal.options.disableStdin = true
        return
      default:
        return frame satisfies never
    }
  }

  #resize({ cols, rows }: TerminalSize): void {
    this.#terminal.resize(cols, rows)
    this.#options.onCut(cols > this.#wanted.cols || rows > this.#wanted.rows)
  }

  /** After the bytes that came before it: they wait in the parser's queue. */
  #inOrder(change: () => void): void {
    this.#terminal.write('', () => {
      if (!this.#owned.isClosed) change()
    })
  }

  #takeBytes(bytes: Uint8Array): void {
    const generation = this.#generation
    // Acknowledged when parsed, not when received: xterm.js queues writes without bound.
    this.#terminal.write(bytes, () => {
      if (generation !== this.#generation) return
      this.#parsedBytes += bytes.byteLength
      if (this.#parsedBytes - this.#ackedBytes >= ACK_EVERY_BYTES) this.#acknowledge()
      else this.#acknowledgeSoon()
    })
  }

  readonly #acknowledgeSoon = debounce(() => this.#acknowledge(), ACK_IDLE_MS)

  #acknowledge(): void {
    if (this.#parsedBytes === this.#ackedBytes) return
    this.#ackedBytes = this.#parsedBytes
    this.#link.sendAck(this.#parsedBytes)
  }
}

function clamp(size: number): number {
  return Math.min(1000, Math.max(1, size))
}

function visit(uri: string): void {
  if (/^https?:\/\//i.test(uri)) window.open(uri, '_blank', 'noopener,noreferrer')
}
