/** Which keys are the page's own while a terminal has the keyboard. All others are the program's. */

export type TerminalCommand = 'copy' | 'find' | 'mark' | 'zoomIn' | 'zoomOut' | 'zoomUsual'

interface Keyboard {
  isMac: boolean
  /** The program has the whole screen, and uses of its own for keys that a shell can do without. */
  isFullScreen: boolean
}

export function commandOf(event: KeyboardEvent, { isMac, isFullScreen }: Keyboard): TerminalCommand | null {
  if (event.altKey) return null
  const isCtrl = event.ctrlKey && !event.metaKey
  if (isCtrl && event.shiftKey) return SHIFTED[event.code] ?? zoomOf(event)
  const isOwn = isMac ? event.metaKey && !event.ctrlKey : isCtrl
  if (!isOwn) return null
  if (event.code === 'KeyF' && !event.shiftKey) return isMac || !isFullScreen ? 'find' : null
  return zoomOf(event)
}

const SHIFTED: Readonly<Record<string, TerminalCommand>> = { KeyC: 'copy', KeyF: 'find', Space: 'mark' }

/** By the character, wherever a keyboard has it. */
function zoomOf({ key, shiftKey }: KeyboardEvent): TerminalCommand | null {
  if (key === '+' || key === '=') return 'zoomIn'
  if (key === '-') return 'zoomOut'
  return key === '0' && !shiftKey ? 'zoomUsual' : null
}
