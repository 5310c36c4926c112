import type { TerminalPhase } from '../../wire/terminalLink'
import { useWords } from '../../words/useWords'

/** What is not as usual with the terminal: how its own socket stands, or that it is too large for this cell. */
export function TerminalStatus({ phase, isCut }: { phase: TerminalPhase; isCut: boolean }) {
  const words = useWords()
  if (phase === 'ended' || (phase === 'attached' && !isCut)) return null
  return (
    <p className="term-status" role="status">
      {phase === 'attached' ? words.terminal.isCut : words.terminal[phase]}
    </p>
  )
}
