import type { Terminal } from '@xterm/xterm'
import { Owned } from '../lib/lifecycle'

const TAP_PX = 8
/** A finger that rests moves less. */

/** A finger moves what is shown, as a wheel does: the scrollback, or the program that has the screen or the mouse. */
export class Swiping {
  readonly #owned = new Owned()
  readonly #terminal: Terminal
  readonly #element: HTMLElement
  #lastY = 0
  /** Of what was swiped and is not a whole line yet; null before it is more than a tap. */
  #restPx: number | null = null

  constructor(terminal: Terminal, element: HTMLElement) {
    this.#terminal = terminal
    this.#element = element
    const begin = (event: TouchEvent) => this.#begin(event)
    const move = (event: TouchEvent) => this.#move(event)
    element.addEventListener('touchstart', begin, { passive: true })
    // Not passive: the page would scroll, and at its end a mouse would be made up.
    element.addEventListener('touchmove', move, { passive: false })
    this.#owned.add(() => {
      element.removeEventListener('touchstart', begin)
      element.removeEventListener('touchmove', move)
    })
  }

  dispose(): void {
    this.#owned.close()
  }

  #begin(event: TouchEvent): void {
    this.#restPx = null
    this.#lastY = event.touches[0]?.clientY ?? 0
  }

  #move(event: TouchEvent): void {
    const [finger, another] = event.touches
    // Two fingers zoom the page.
    if (finger === undefined || another !== undefined) return
    const movedPx = finger.clientY - this.#lastY
    if (this.#restPx === null && Math.abs(movedPx) < TAP_PX) return
    event.preventDefault()
    this.#lastY = finger.clientY
    const px = (this.#restPx ?? 0) + movedPx
    const lineHeight = this.#lineHeight()
    const lines = Math.trunc(px / lineHeight)
    this.#restPx = px - lines * lineHeight
    if (lines !== 0) this.#scroll(-lines, finger)
  }

  /** By so many lines, downwards where positive. */
  #scroll(lines: number, { clientX, clientY }: Touch): void {
    const { buffer, modes } = this.#terminal
    const hasWheel = modes.mouseTrackingMode !== 'none' && modes.mouseTrackingMode !== 'x10'
    if (buffer.active.type === 'normal' && !hasWheel) return this.#terminal.scrollLines(lines)
    // The emulator makes arrow keys or reports of it, one of each event.
    const turn = { deltaY: Math.sign(lines), deltaMode: WheelEvent.DOM_DELTA_LINE, clientX, clientY }
    for (let line = 0; line < Math.abs(lines); line += 1) {
      this.#terminal.element?.dispatchEvent(new WheelEvent('wheel', { ...turn, bubbles: true, cancelable: true }))
    }
  }

  #lineHeight(): number {
    const screen = this.#element.querySelector('.xterm-screen')
    return Math.max(1, (screen?.clientHeight ?? 0) / this.#terminal.rows)
  }
}
