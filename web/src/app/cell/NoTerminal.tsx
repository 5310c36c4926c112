import { useStore } from 'zustand'
import type { ProjectAgent } from '../../state/agents'
import { launchAgent, launchStore } from '../../state/launch'
import type { Opening } from '../../wire/shapes'
import type { Words } from '../../words/en'
import { useWords } from '../../words/useWords'
import { Blank } from './Blank'
import { showView, takeView } from './chooseAgent'
import { RefusedActions, refusalText } from './RefusedActions'

interface NoTerminalProps {
  nodeId: string
  agent: ProjectAgent
  onStart: () => void
}

/** Why there is no terminal, and how to get one. */
export function NoTerminal({ nodeId, agent, onStart }: NoTerminalProps) {
  const words = useWords()
  const isPending = useStore(launchStore, (all) => all.get(nodeId)?.phase === 'pending')
  const start = (opening: Opening) => {
    onStart()
    return launchAgent({ agentId: agent.id, nodeId, view: 'terminal', opening })
  }
  const goOnHere = () => {
    onStart()
    void takeView(nodeId, agent, 'terminal')
  }
  if (agent.session !== null) {
    return (
      <Blank icon="chat" title={words.terminal.asChat(agent.name)} detail={words.terminal.asChatDetail}>
        <button type="button" className="btn" onClick={() => showView(nodeId, agent.id, 'chat')}>
          {words.terminal.toChat}
        </button>
        <button type="button" className="btn quiet" disabled={isPending} onClick={goOnHere}>
          {words.terminal.goOnHere}
        </button>
      </Blank>
    )
  }
  const refusal = refusalText(agent, words)
  if (refusal !== null) {
    return (
      <Blank icon="x" title={words.refused.title(agent.name)} detail={refusal}>
        <RefusedActions nodeId={nodeId} agent={agent} view="terminal" onStart={onStart} />
      </Blank>
    )
  }
  const wasRun = agent.readiness.reason !== 'neverLaunched'
  const label = wasRun ? words.cell.startAgain : words.terminal.start(agent.name)
  return (
    <Blank
      icon="term"
      title={endedText(agent, words)}
      detail={hasEnded(agent) ? words.terminal.noLastScreen : words.terminal.notRunningDetail}
    >
      <button type="button" className="btn primary" disabled={isPending} onClick={() => void start('resume')}>
        {isPending ? words.state.starting : label}
      </button>
      {agent.conversationId !== null && (
        <button type="button" className="btn quiet" disabled={isPending} onClick={() => void start('empty')}>
          {words.cell.startFresh}
        </button>
      )}
    </Blank>
  )
}

/** By itself, so that there was something to see. */
function hasEnded({ readiness: { reason } }: ProjectAgent): boolean {
  return reason === 'ended' || reason === 'keeperLost'
}

/** How it ended, if it ended by itself; else only that it does not run. */
export function endedText({ name, readiness }: ProjectAgent, words: Words): string {
  const { exitCode, reason } = readiness
  if (exitCode === null || reason !== 'ended') return words.terminal.notRunning(name)
  return words.terminal.ended(exitCode < 0 ? words.terminal.signal(-exitCode) : words.terminal.code(exitCode))
}
