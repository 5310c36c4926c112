import { lazy, Suspense, useCallback, useState } from 'react'
import { useStore } from 'zustand'
import { useShownTheme } from '../../bind/useShownTheme'
import { OverlaySheet } from '../../features/delegations/OverlaySheet'
import type { ProjectAgent } from '../../state/agents'
import { launchAgent, launchStore } from '../../state/launch'
import type { TerminalPhase } from '../../wire/terminalLink'
import { useWords } from '../../words/useWords'
import { Blank } from './Blank'
import { stopAndTell } from './CellMenu'
import { showView } from './chooseAgent'
import { LaunchNotice } from './LaunchNotice'
import { TerminalStatus } from './TerminalStatus'

const TerminalView = lazy(() =>
  import('../../terminal/TerminalView').then((module) => ({ default: module.TerminalView })),
)

interface TerminalCellProps {
  nodeId: string
  agent: ProjectAgent
  isVisible: boolean
}

/** The agent's own terminal, or why there is none and how to get one. The sheet over it locks nothing. */
export function TerminalCell({ nodeId, agent, isVisible }: TerminalCellProps) {
  const words = useWords()
  const theme = useShownTheme()
  const [phase, setPhase] = useState<TerminalPhase>('connecting')
  const ignoreEnd = useCallback(() => {}, [])
  const session = agent.session?.kind === 'pty' ? agent.session : null
  return (
    <div className="term-cell">
      {session === null ? (
        <NoTerminal nodeId={nodeId} agent={agent} />
      ) : (
        // A hidden terminal is closed: the server keeps its screen and paints it again.
        isVisible && (
          <Suspense fallback={null}>
            <TerminalView
              key={session.id}
              projectId={agent.projectId}
              agentId={agent.id}
              label={words.terminal.label(agent.name)}
              theme={theme}
              onPhase={setPhase}
              onEnded={ignoreEnd}
            />
          </Suspense>
        )
      )}
      {session !== null && <TerminalStatus phase={phase} />}
      <div className="term-notice">
        <LaunchNotice nodeId={nodeId} agent={agent} />
      </div>
      <OverlaySheet agent={agent} />
    </div>
  )
}

function NoTerminal({ nodeId, agent }: { nodeId: string; agent: ProjectAgent }) {
  const words = useWords()
  const isPending = useStore(launchStore, (all) => all.get(nodeId)?.phase === 'pending')
  const { exitCode, reason } = agent.readiness
  const start = (isFresh: boolean) => launchAgent({ agentId: agent.id, nodeId, view: 'terminal', isFresh })
  const toChat = () => showView(nodeId, agent.id, 'chat')
  if (agent.session !== null) {
    const stopAndOpen = async () => {
      if (await stopAndTell(agent, words)) await start(false)
    }
    return (
      <Blank icon="chat" title={words.terminal.asChat(agent.name)} detail={words.terminal.asChatDetail}>
        <button type="button" className="btn" onClick={toChat}>
          {words.terminal.toChat}
        </button>
        <button type="button" className="btn quiet" onClick={() => void stopAndOpen()}>
          {words.terminal.stopAndOpen}
        </button>
      </Blank>
    )
  }
  const hasEnded = exitCode !== null && reason === 'ended'
  const wasRun = reason !== 'neverLaunched'
  const how = exitCode !== null && exitCode < 0 ? words.terminal.signal(-exitCode) : words.terminal.code(exitCode ?? 0)
  return (
    <Blank
      icon="term"
      title={hasEnded ? words.terminal.ended(how) : words.terminal.notRunning(agent.name)}
      detail={hasEnded ? agent.readiness.detail : words.terminal.notRunningDetail}
    >
      <button type="button" className="btn primary" disabled={isPending} onClick={() => void start(false)}>
        {isPending ? words.state.starting : wasRun ? words.cell.startAgain : words.terminal.start(agent.name)}
      </button>
      {agent.conversationId !== null && (
        <button type="button" className="btn quiet" disabled={isPending} onClick={() => void start(true)}>
          {words.cell.startFresh}
        </button>
      )}
    </Blank>
  )
}
