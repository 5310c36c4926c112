import type { Terminal } from '@xterm/xterm'
import { copyText } from '../lib/copyText'
import { isMac } from '../lib/isMac'
import { Owned } from '../lib/lifecycle'
import { type BarKey, sequenceOf, withCtrl } from './barKeys'
import type { FaceStore } from './face'
import { commandOf, type TerminalCommand } from './keys'
import { Marking } from './Marking'
import { actsAtOnce, isTooLong, typedPaste } from './paste'
import { plainText } from './plainText'

export type Zoom = 'in' | 'out' | 'usual'

interface HandsOptions {
  terminal: Terminal
  element: HTMLElement
  face: FaceStore
  onZoom: (zoom: Zoom) => void
}

/** What a person does to a terminal beside typing: choose, copy, paste, search, zoom; and that they turned to it. */
export class TerminalHands {
  readonly #owned = new Owned()
  readonly #terminal: Terminal
  readonly #face: FaceStore
  readonly #onZoom: (zoom: Zoom) => void
  #marking: Marking | null = null

  constructor({ terminal, element, face, onZoom }: HandsOptions) {
    this.#terminal = terminal
    this.#face = face
    this.#onZoom = onZoom
    terminal.attachCustomKeyEventHandler((event) => this.#isForProgram(event))
    this.#owned.add(terminal.onBell(() => face.setState({ hasRung: true })))
    const turned = () => face.setState({ hasRung: false })
    const paste = (event: ClipboardEvent) => this.#takePaste(event)
    element.addEventListener('pointerdown', turned)
    element.addEventListener('focusin', turned)
    // Before the emulator's own, which would type whatever is in it.
    element.addEventListener('paste', paste, { capture: true })
    this.#owned.add(() => {
      element.removeEventListener('pointerdown', turned)
      element.removeEventListener('focusin', turned)
      element.removeEventListener('paste', paste, { capture: true })
    })
  }

  /** A key that the keyboard in use does not have. */
  press(key: BarKey): void {
    const { applicationCursorKeysMode: isApplication } = this.#terminal.modes
    const { isCtrlHeld: isCtrl } = this.#face.getState()
    this.holdCtrl(false)
    this.#terminal.input(sequenceOf(key, { isCtrl, isApplication }))
  }

  holdCtrl(isCtrlHeld: boolean): void {
    this.#face.setState({ isCtrlHeld })
  }

  /** What was typed, with the key that is held. */
  typed(data: string): string {
    if (!this.#face.getState().isCtrlHeld) return data
    this.holdCtrl(false)
    return withCtrl(data)
  }

  openSearch(): void {
    this.#face.setState({ isSearched: true })
  }

  closeSearch(): void {
    this.#face.setState({ isSearched: false })
    this.#terminal.focus()
  }

  /** What was to be pasted and acts at once, after all. */
  confirmPaste(): void {
    const { paste } = this.#face.getState()
    if (paste !== null) this.#type(paste)
    this.dropPaste()
  }

  dropPaste(): void {
    this.#face.setState({ paste: null, refusal: null })
    this.#terminal.focus()
  }

  /** To be called upon a gesture. False if the browser refuses. */
  async takeOffer(): Promise<boolean> {
    const { offer } = this.#face.getState()
    const isCopied = offer?.kind === 'text' && (await copyText(plainText(offer.text)))
    if (isCopied) this.dropOffer()
    return isCopied
  }

  /** All that waits for an answer gets none. */
  dismiss(): void {
    this.#face.setState({ paste: null, refusal: null, offer: null })
    this.#terminal.focus()
  }

  dropOffer(): void {
    this.#face.setState({ offer: null })
    this.#terminal.focus()
  }

  dispose(): void {
    this.#owned.close()
  }

  #isForProgram(event: KeyboardEvent): boolean {
    if (event.type === 'keydown') this.#face.setState({ hasRung: false })
    if (this.#marking !== null) return this.#mark(this.#marking, event)
    const isFullScreen = this.#terminal.buffer.active.type === 'alternate'
    const command = commandOf(event, { isMac, isFullScreen })
    if (command === null) return true
    // Else the browser would take it: open its tools, search the page, zoom.
    event.preventDefault()
    if (event.type === 'keydown') this.#obey(command)
    return false
  }

  #obey(command: TerminalCommand): void {
    switch (command) {
      case 'copy':
        return this.#copy()
      case 'find':
        return this.openSearch()
      case 'mark':
        this.#marking = new Marking(this.#terminal)
        return this.#face.setState({ isMarking: true })
      case 'zoomIn':
        return this.#onZoom('in')
      case 'zoomOut':
        return this.#onZoom('out')
      case 'zoomUsual':
        return this.#onZoom('usual')
      default:
        return command satisfies never
    }
  }

  /** No key is the program's meanwhile. */
  #mark(marking: Marking, event: KeyboardEvent): boolean {
    if (event.type !== 'keydown') return false
    const isCopy = event.key === 'Enter' || (event.code === 'KeyC' && (event.ctrlKey || event.metaKey))
    if (isCopy) this.#copy()
    if (isCopy || event.key === 'Escape') {
      this.#marking = null
      this.#face.setState({ isMarking: false })
      if (!isCopy) this.#terminal.clearSelection()
      event.preventDefault()
      event.stopPropagation()
    } else if (marking.press(event)) {
      event.preventDefault()
    }
    return false
  }

  #copy(): void {
    const selected = this.#terminal.getSelection()
    // A browser that refuses leaves the selection, so its own menu still copies it.
    if (selected !== '') void copyText(selected)
  }

  #takePaste(event: ClipboardEvent): void {
    event.preventDefault()
    event.stopPropagation()
    const text = plainText(event.clipboardData?.getData('text/plain') ?? '')
    if (text === '' || this.#terminal.options.disableStdin === true) return
    if (isTooLong(text)) return this.#face.setState({ refusal: 'tooLong' })
    this.#face.setState({ refusal: null })
    if (actsAtOnce(text, this.#isBracketed)) return this.#face.setState({ paste: text })
    this.#type(text)
  }

  #type(text: string): void {
    this.#terminal.input(typedPaste(text, this.#isBracketed))
  }

  get #isBracketed(): boolean {
    return this.#terminal.modes.bracketedPasteMode
  }
}
