import { useCallback, useState } from 'react'
import { useStore } from 'zustand'
import { Awaited } from '../../bind/Awaited'
import { useHasFinger } from '../../bind/useHasFinger'
import { useIsPageAway } from '../../bind/useIsPageAway'
import { usePart } from '../../bind/usePart'
import { useShownTheme } from '../../bind/useShownTheme'
import { AskStrip } from '../../features/delegations/AskStrip'
import { OverlaySheet } from '../../features/delegations/OverlaySheet'
import { RequestCards } from '../../features/permissions/RequestCard'
import { KeyBar } from '../../features/terminals/KeyBar'
import { MessageBar } from '../../features/terminals/MessageBar'
import { TerminalHints } from '../../features/terminals/TerminalHints'
import type { ProjectAgent } from '../../state/agents'
import { closeMessageBar } from '../../state/messageBars'
import { preferenceStore, zoomTerminals } from '../../state/preferences'
import type { Fit } from '../../terminal/Fitting'
import { hideTerminal, shownTerminals, showTerminal } from '../../terminal/shownTerminals'
import type { TerminalController } from '../../terminal/TerminalController'
import { isFailure } from '../../wire/outcome'
import type { TerminalPhase } from '../../wire/terminalLink'
import { useWords } from '../../words/useWords'
import { LaunchNotice } from './LaunchNotice'
import { MissingCli } from './MissingCli'
import { NoTerminal } from './NoTerminal'
import { RefusedNotice } from './RefusedNotice'
import { TerminalEndBar } from './TerminalEndBar'
import { TerminalStatus } from './TerminalStatus'
import { useMessageBar } from './useMessageBar'

const loadTerminal = () => import('../../terminal/TerminalView')

interface TerminalCellProps {
  nodeId: string
  agent: ProjectAgent
  isVisible: boolean
}

/** The agent's own terminal, its last screen once it ended, or how to get one. The sheet over it locks nothing. */
export function TerminalCell({ nodeId, agent, isVisible }: TerminalCellProps) {
  const words = useWords()
  const theme = useShownTheme()
  const isAway = useIsPageAway()
  const [phase, setPhase] = useState<TerminalPhase>('connecting')
  const [fit, setFit] = useState<Fit>('fits')
  const controller = useStore(shownTerminals, (all) => all.get(nodeId) ?? null)
  const onMade = useCallback((made: TerminalController) => showTerminal(nodeId, made), [nodeId])
  const onGone = useCallback(() => hideTerminal(nodeId), [nodeId])
  const hasFinger = useHasFinger()
  const fontSize = useStore(preferenceStore, (preferences) => preferences.terminalFontPx)
  // By its button, which goes away and would leave the keyboard nowhere.
  const [isAwaited, setIsAwaited] = useState(false)
  const onStart = () => setIsAwaited(true)
  const { part, arrival } = usePart(loadTerminal)
  // Another number is another terminal: one that was refused is asked for again.
  const [attempt, setAttempt] = useState(0)
  const { session } = agent
  const isLive = session?.kind === 'pty'
  // Of one that ended, the last screen says why.
  const shownId = isLive ? session.id : session === null ? agent.lastTerminalId : null
  const bar = useMessageBar(nodeId, agent)
  const closeBar = () => {
    closeMessageBar(nodeId)
    controller?.focus()
  }
  const stage = (
    <div className="term-cell">
      {part !== null && shownId !== null && isVisible && !isAway && (
        // A hidden terminal is closed: the server keeps its screen and paints it again.
        <part.TerminalView
          key={`${shownId} ${attempt}`}
          projectId={agent.projectId}
          agentId={agent.id}
          label={words.terminal.label(agent.name)}
          theme={theme}
          fontSize={fontSize}
          isAwaited={isAwaited}
          onPhase={setPhase}
          onFit={setFit}
          onZoom={zoomTerminals}
          onMade={onMade}
          onGone={onGone}
        />
      )}
      {controller !== null && <TerminalHints controller={controller} />}
      {shownId === null && (
        <>
          <AskStrip agent={agent} hasSays />
          <NoTerminal nodeId={nodeId} agent={agent} onStart={onStart} />
        </>
      )}
      {shownId !== null &&
        (isLive ? (
          <TerminalStatus phase={phase} fit={fit} onRetry={() => setAttempt(attempt + 1)} />
        ) : (
          <TerminalEndBar nodeId={nodeId} agent={agent} onStart={onStart} />
        ))}
      <div className="term-notice">
        <LaunchNotice nodeId={nodeId} agent={agent} />
        {isFailure(arrival) && (
          <Awaited
            arrival={arrival}
            title={words.terminal.notLoaded}
            retryLabel={words.fault.reload}
            onRetry={() => location.reload()}
          />
        )}
        {shownId !== null && <RefusedNotice nodeId={nodeId} agent={agent} view="terminal" onStart={onStart} />}
        <MissingCli agent={agent} />
      </div>
      {/* What a terminal asks it asks itself: these requests are of the session that answers beside it. */}
      {shownId !== null && <OverlaySheet agent={agent} foot={<RequestCards agent={agent} />} />}
    </div>
  )
  return (
    <div className="term-frame">
      {stage}
      {hasFinger && isLive && controller !== null && <KeyBar controller={controller} />}
      {(bar === 'open' || bar === 'fixed') && <MessageBar agent={agent} onClose={bar === 'open' ? closeBar : null} />}
    </div>
  )
}
