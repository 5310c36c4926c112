import type { Fit } from '../../terminal/Fitting'
import type { TerminalPhase } from '../../wire/terminalLink'
import { useWords } from '../../words/useWords'

/** What is not as usual with the terminal: how its own socket stands, or that its size is another browser's. */
export function TerminalStatus({ phase, fit }: { phase: TerminalPhase; fit: Fit }) {
  const words = useWords()
  if (phase === 'ended' || (phase === 'attached' && fit === 'fits')) return null
  return (
    <p className="term-status" role="status">
      {phase === 'attached' ? words.terminal.otherSize : words.terminal[phase]}
    </p>
  )
}
