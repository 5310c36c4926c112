import { Owned } from '../lib/lifecycle'
import { later } from './later'

/** `screen`: what is above is not here yet. */
type Shown = 'all' | 'screen' | 'asked'

const UP_KEYS = ['PageUp', 'Home', 'ArrowUp']

/**
 * The first picture is the screen alone, so that a page with many terminals shows all of them soon. What is above is asked
 * for when the page has time, or at once when a person turns to it.
 */
export class Scrollback {
  readonly #owned = new Owned()
  readonly #ask: () => void
  #shown: Shown = 'all'
  #takeBack: () => void = () => {}
  /** Tells the others that wait that this one is done. */
  #done: () => void = () => {}

  constructor(element: HTMLElement, ask: () => void) {
    this.#ask = ask
    const wheel = ({ deltaY }: WheelEvent) => deltaY < 0 && this.want()
    const swipe = () => this.want()
    const press = ({ shiftKey, key }: KeyboardEvent) => shiftKey && UP_KEYS.includes(key) && this.want()
    element.addEventListener('wheel', wheel, { passive: true, capture: true })
    element.addEventListener('touchmove', swipe, { passive: true, capture: true })
    element.addEventListener('keydown', press, true)
    this.#owned.add(() => {
      element.removeEventListener('wheel', wheel, true)
      element.removeEventListener('touchmove', swipe, true)
      element.removeEventListener('keydown', press, true)
      this.#takeBack()
      this.#done()
    })
  }

  /** One is announced, which has it or not. */
  beginPicture(isWhole: boolean): void {
    this.#takeBack()
    this.#shown = isWhole ? 'all' : 'screen'
  }

  /** It is on the screen. */
  endPicture(): void {
    this.#done()
    if (this.#shown !== 'screen' || this.#owned.isClosed) return
    this.#takeBack = later((done) => {
      this.#done = done
      this.want()
    })
  }

  /** A person looks for it. */
  want(): void {
    if (this.#shown !== 'screen') return
    this.#takeBack()
    this.#shown = 'asked'
    this.#ask()
  }

  dispose(): void {
    this.#owned.close()
  }
}
