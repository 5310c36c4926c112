import { useStore } from 'zustand'
import type { ProjectAgent } from '../../state/agents'
import { launchAgent, launchStore } from '../../state/launch'
import { useWords } from '../../words/useWords'
import { endedText } from './NoTerminal'

/** Below the last screen of a terminal that ended: how it ended, and the way on. */
export function TerminalEndBar({ nodeId, agent }: { nodeId: string; agent: ProjectAgent }) {
  const words = useWords()
  const isPending = useStore(launchStore, (all) => all.get(nodeId)?.phase === 'pending')
  return (
    <div className="term-end" role="status">
      <span className="grow">{endedText(agent, words)}</span>
      <button
        type="button"
        className="btn s primary"
        disabled={isPending}
        onClick={() => void launchAgent({ agentId: agent.id, nodeId, view: 'terminal' })}
      >
        {isPending ? words.state.starting : words.cell.startAgain}
      </button>
    </div>
  )
}
