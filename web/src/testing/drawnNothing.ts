/** What jsdom lacks because it draws nothing. Imported before what reads it while it is loaded. */

class NoObserver {
  observe(): void {}
  unobserve(): void {}
  disconnect(): void {}
}

const ignore = () => {}

Object.assign(globalThis, {
  ResizeObserver: NoObserver,
  IntersectionObserver: NoObserver,
  matchMedia: () => ({
    matches: false,
    addEventListener: ignore,
    removeEventListener: ignore,
    addListener: ignore,
    removeListener: ignore,
  }),
})
/** Takes every stroke, measures zero. */
const canvas: unknown = new Proxy(() => canvas, {
  get: (_, key) => {
    if (key === Symbol.iterator) return [][Symbol.iterator]
    return key === Symbol.toPrimitive ? () => 0 : canvas
  },
})
Object.assign(HTMLCanvasElement.prototype, { getContext: (kind: string) => (kind === '2d' ? canvas : null) })
