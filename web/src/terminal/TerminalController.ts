/** One terminal: xterm.js and its socket, without React. Made when shown, closed when hidden; the server keeps the screen. */

import { FitAddon } from '@xterm/addon-fit'
import { Terminal } from '@xterm/xterm'
import { joined } from '../lib/joined'
import { Owned } from '../lib/lifecycle'
import {
  type TerminalFrame,
  TerminalLink,
  type TerminalLinkOptions,
  type TerminalPhase,
  type TerminalWire,
} from '../wire/terminalLink'
import { Acknowledger } from './Acknowledger'
import { measureCharacters } from './characters'
import { offerClipboard } from './clipboardOffers'
import { drawOnGpu } from './drawOnGpu'
import { type Fit, Fitting } from './Fitting'
import { Following } from './Following'
import { createFace } from './face'
import { later } from './later'
import { findLinks } from './links'
import { isFocusReport, muteReplies } from './muteReplies'
import { Scrollback } from './Scrollback'
import { Swiping } from './Swiping'
import { TerminalHands, type Zoom } from './TerminalHands'
import { TerminalSearch } from './TerminalSearch'
import { terminalContrast, terminalTheme } from './theme'
import { Undirected } from './Undirected'

const SCROLLBACK_LINES = 5000
const SCROLLBAR_PX = 10
/** Of output at once: xterm.js looks at its clock between two writes only, and a key is not to wait for a whole frame. */
const WRITE_BYTES = 32 * 1024

/** Everything as at the beginning, also the colours that a program may have changed. */
const ANEW = new TextEncoder().encode('\x1bc\x1b]104\x1b\\\x1b]110\x1b\\\x1b]111\x1b\\\x1b]112\x1b\\')

export interface TerminalOptions {
  element: HTMLElement
  projectId: string
  agentId: string
  credential: string
  label: string
  fontSize: number
  onPhase: (phase: TerminalPhase) => void
  onFit: (fit: Fit) => void
  onZoom: (zoom: Zoom) => void
  openLink?: (options: TerminalLinkOptions) => TerminalWire
}

export class TerminalController {
  readonly face = createFace()
  readonly search: TerminalSearch
  readonly hands: TerminalHands
  readonly #owned = new Owned()
  readonly #terminal: Terminal
  readonly #fit = new FitAddon()
  readonly #undirected = new Undirected()
  readonly #link: TerminalWire
  readonly #options: TerminalOptions
  readonly #acks: Acknowledger
  readonly #following: Following
  readonly #fitting: Fitting
  readonly #scrollback: Scrollback
  /** A picture is announced, and its bytes are the next ones. */
  #isPictureNext = false

  constructor(options: TerminalOptions) {
    this.#options = options
    const { element, projectId, agentId, credential, onPhase } = options
    const openLink = options.openLink ?? ((wanted) => new TerminalLink(wanted))
    this.#terminal = this.#createTerminal()
    this.#link = openLink({
      projectId,
      agentId,
      credential,
      size: () => this.#fitting.wanted,
      isWhole: () => this.#following.isAbove,
      listener: { onPhase, onFrame: (frame) => this.#takeFrame(frame), onBytes: (bytes) => this.#takeBytes(bytes) },
    })
    this.#acks = new Acknowledger((bytes) => this.#link.sendAck(bytes))
    this.#owned.add(this.#terminal)
    this.#owned.add(() => this.#link.close())
    this.#owned.add(this.#acks)
    this.#terminal.open(element)
    this.#terminal.textarea?.setAttribute('aria-label', options.label)
    this.search = new TerminalSearch(this.#terminal, element, () => this.#scrollback.want())
    this.#following = new Following(this.#terminal, (linesBelow) => this.face.setState({ linesBelow }))
    this.#owned.add(this.#following)
    this.hands = new TerminalHands({ terminal: this.#terminal, element, face: this.face, onZoom: options.onZoom })
    this.#owned.add(this.hands)
    this.#owned.add(new Swiping(this.#terminal, element))
    this.#fitting = new Fitting({
      terminal: this.#terminal,
      fit: this.#fit,
      element,
      onWanted: (size) => this.#link.sendResize(size),
      onFit: options.onFit,
    })
    this.#owned.add(this.#fitting)
    this.#scrollback = new Scrollback(element, () => this.#link.askScrollback())
    this.#owned.add(this.#scrollback)
    this.#owned.add(later((done) => void drawOnGpu(this.#terminal, this.#owned).finally(done)))
    this.#connectInput()
    this.#link.open()
  }

  focus(): void {
    this.#terminal.focus()
  }

  scrollToEnd(): void {
    this.#terminal.scrollToBottom()
    this.#terminal.focus()
  }

  /** Takes the page's colours anew, after a change of theme. */
  paint(): void {
    this.#terminal.options.theme = terminalTheme(this.#options.element)
    this.#terminal.options.minimumContrastRatio = terminalContrast(this.#options.element)
  }

  setFontSize(px: number): void {
    if (this.#terminal.options.fontSize === px) return
    this.#terminal.options.fontSize = px
    this.#fitting.refit()
  }

  close(): void {
    this.#owned.close()
  }

  #createTerminal(): Terminal {
    const terminal = new Terminal({
      allowProposedApi: true,
      // It would type arrow keys into whatever runs, and programs take them for many things.
      altClickMovesCursor: false,
      cursorBlink: true,
      fontFamily: getComputedStyle(this.#options.element).getPropertyValue('--font-mono'),
      fontSize: this.#options.fontSize,
      // As elsewhere on a Mac: where the program has the mouse, this key selects all the same.
      macOptionClickForcesSelection: true,
      scrollback: SCROLLBACK_LINES,
      minimumContrastRatio: terminalContrast(this.#options.element),
      overviewRuler: { width: SCROLLBAR_PX },
      theme: terminalTheme(this.#options.element),
    })
    terminal.loadAddon(this.#fit)
    findLinks(terminal, (link) => this.face.setState({ link }))
    measureCharacters(terminal)
    for (const muted of muteReplies(terminal.parser)) this.#owned.add(muted)
    this.#owned.add(offerClipboard(terminal.parser, (offer) => this.face.setState({ offer })))
    return terminal
  }

  #connectInput(): void {
    const encoder = new TextEncoder()
    this.#owned.add(
      this.#terminal.onData((data) => {
        if (!isFocusReport(data)) this.#link.sendKeys(encoder.encode(this.hands.typed(data)))
      }),
    )
    this.#owned.add(
      this.#terminal.onBinary((data) => this.#link.sendKeys(Uint8Array.from(data, (char) => char.charCodeAt(0)))),
    )
  }

  #takeFrame(frame: TerminalFrame): void {
    switch (frame.type) {
      case 'reset':
        this.#acks.begin()
        this.#scrollback.beginPicture(frame.isWhole)
        this.#isPictureNext = true
        return this.#inOrder(() => {
          this.#following.beginPicture()
          this.#fitting.take(frame)
        })
      case 'inputRefused':
        return this.face.setState({ refusal: 'notRead' })
      case 'ended':
        // The last screen stays, without a cursor that promises an answer.
        this.#terminal.options.cursorBlink = false
        this.#terminal.options.disableStdin = true
        return this.#inOrder(() => this.#fitting.end())
      default:
        return frame satisfies never
    }
  }

  /** After the bytes that came before it: they wait in the parser's queue. */
  #inOrder(change: () => void): void {
    this.#terminal.write('', () => {
      if (!this.#owned.isClosed) change()
    })
  }

  #takeBytes(bytes: Uint8Array): void {
    if (!this.#isPictureNext) {
      for (let start = 0; start < bytes.byteLength; start += WRITE_BYTES) {
        const part = bytes.subarray(start, start + WRITE_BYTES)
        this.#terminal.write(this.#undirected.take(part), this.#acks.received(part.byteLength))
      }
      return
    }
    const parsed = this.#acks.received(bytes.byteLength)
    this.#isPictureNext = false
    this.#undirected.begin()
    // In one piece, which is parsed at once: what is cleared is never seen without what takes its place.
    this.#terminal.write(joined(ANEW, this.#undirected.take(bytes)), parsed)
    this.#inOrder(() => {
      this.#following.endPicture()
      this.#scrollback.endPicture()
    })
  }
}
