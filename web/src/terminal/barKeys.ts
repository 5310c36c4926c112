/** Keys that a phone's keyboard does not have, as a program in a terminal gets them. */

export type BarKey = 'escape' | 'tab' | 'left' | 'up' | 'down' | 'right' | 'enter'

const ARROWS = { up: 'A', down: 'B', right: 'C', left: 'D' } as const

interface Held {
  /** Ctrl is held down along with it. */
  isCtrl: boolean
  /** The program asked for the other form of arrow keys. */
  isApplication: boolean
}

export function sequenceOf(key: BarKey, { isCtrl, isApplication }: Held): string {
  switch (key) {
    case 'escape':
      return '\x1b'
    case 'tab':
      return '\t'
    case 'enter':
      return '\r'
    default:
      if (isCtrl) return `\x1b[1;5${ARROWS[key]}`
      return `\x1b${isApplication ? 'O' : '['}${ARROWS[key]}`
  }
}

/** A character that was typed while Ctrl was held; as it is, where there is none of the kind. */
export function withCtrl(typed: string): string {
  if (typed === ' ') return '\x00'
  if (typed === '?') return '\x7f'
  return /^[@-_a-z]$/.test(typed) ? String.fromCharCode(typed.charCodeAt(0) & 0x1f) : typed
}
