import type { TerminalPhase } from '../../wire/terminalLink'
import { useWords } from '../../words/useWords'

/** How the terminal's own socket stands, while it is not simply attached. */
export function TerminalStatus({ phase }: { phase: TerminalPhase }) {
  const words = useWords()
  if (phase === 'attached' || phase === 'ended') return null
  return (
    <p className="term-status" role="status">
      {words.terminal[phase]}
    </p>
  )
}
