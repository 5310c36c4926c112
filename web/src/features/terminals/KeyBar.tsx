import { useStore } from 'zustand'
import type { BarKey } from '../../terminal/barKeys'
import type { TerminalController } from '../../terminal/TerminalController'
import { useWords } from '../../words/useWords'

const KEYS: readonly (readonly [key: Exclude<BarKey, 'escape' | 'tab'>, sign: string])[] = [
  ['left', '←'],
  ['up', '↑'],
  ['down', '↓'],
  ['right', '→'],
  ['enter', '⏎'],
]

/** What programs in a terminal need and the keyboard of a phone has not. Ctrl holds for the next key. */
export function KeyBar({ controller }: { controller: TerminalController }) {
  const words = useWords()
  const isCtrlHeld = useStore(controller.face, (face) => face.isCtrlHeld)
  const key = (name: BarKey, sign: string, label: string) => (
    <button key={name} type="button" aria-label={label} onClick={() => controller.hands.press(name)}>
      {sign}
    </button>
  )
  return (
    <div
      className="term-keys"
      role="toolbar"
      aria-label={words.terminal.keyBar.label}
      // The keyboard on the screen stays as it is, open or not.
      onPointerDown={(event) => event.preventDefault()}
      onMouseDown={(event) => event.preventDefault()}
    >
      {key('escape', words.keys.escape, words.keys.escape)}
      {key('tab', 'Tab', 'Tab')}
      <button type="button" aria-pressed={isCtrlHeld} onClick={() => controller.hands.holdCtrl(!isCtrlHeld)}>
        Ctrl
      </button>
      {KEYS.map(([name, sign]) => key(name, sign, words.terminal.keyBar[name]))}
    </div>
  )
}
