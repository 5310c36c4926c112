/** What jsdom lacks because it draws nothing: here all that is there is in view. */

import './drawnNothing'

class AllInView {
  readonly #tell: IntersectionObserverCallback

  constructor(tell: IntersectionObserverCallback) {
    this.#tell = tell
  }

  observe(target: Element): void {
    const box = target.getBoundingClientRect()
    const entry = { target, isIntersecting: true, intersectionRatio: 1, time: 0, rootBounds: null }
    this.#tell([{ ...entry, boundingClientRect: box, intersectionRect: box }], new IntersectionObserver(() => {}))
  }

  unobserve(): void {}
  disconnect(): void {}
}

Object.assign(globalThis, { IntersectionObserver: AllInView })
