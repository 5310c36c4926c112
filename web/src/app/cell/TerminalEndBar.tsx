import { useStore } from 'zustand'
import type { ProjectAgent } from '../../state/agents'
import { launchAgent, launchStore } from '../../state/launch'
import { useWords } from '../../words/useWords'
import { endedText } from './NoTerminal'

interface TerminalEndBarProps {
  nodeId: string
  agent: ProjectAgent
  onStart: () => void
}

/** Below the last screen of a terminal that ended: how it ended, and the way on. */
export function TerminalEndBar({ nodeId, agent, onStart }: TerminalEndBarProps) {
  const words = useWords()
  const isPending = useStore(launchStore, (all) => all.get(nodeId)?.phase === 'pending')
  const start = () => {
    onStart()
    void launchAgent({ agentId: agent.id, nodeId, view: 'terminal' })
  }
  return (
    <div className="term-end" role="status">
      <span className="grow">{endedText(agent, words)}</span>
      <button type="button" className="btn s primary" disabled={isPending} onClick={start}>
        {isPending ? words.state.starting : words.cell.startAgain}
      </button>
    </div>
  )
}
