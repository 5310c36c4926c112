import type { Fit } from '../../terminal/Fitting'
import type { TerminalPhase } from '../../wire/terminalLink'
import { useWords } from '../../words/useWords'

interface TerminalStatusProps {
  phase: TerminalPhase
  fit: Fit
  /** Asks anew for one that was refused; the others ask by themselves. */
  onRetry: () => void
}

/** What is not as usual with the terminal: how its own socket stands, or that its size is another browser's. */
export function TerminalStatus({ phase, fit, onRetry }: TerminalStatusProps) {
  const words = useWords()
  if (phase === 'ended' || (phase === 'attached' && fit === 'fits')) return null
  return (
    <p className="term-status" role="status">
      {phase === 'attached' ? words.terminal.otherSize : words.terminal[phase]}
      {phase === 'refused' && (
        <button type="button" className="btn s" onClick={onRetry}>
          {words.retry}
        </button>
      )}
    </p>
  )
}
