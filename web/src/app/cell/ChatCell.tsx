import { useCallback } from 'react'
import { ChatView } from '../../features/conversations/ChatView'
import { AskStrip } from '../../features/delegations/AskStrip'
import { DelegationCard } from '../../features/delegations/DelegationCard'
import { RequestCards } from '../../features/permissions/RequestCard'
import type { ProjectAgent } from '../../state/agents'
import { Notice } from '../../ui/Notice'
import { useWords } from '../../words/useWords'
import { useCellPlace } from '../cellPlace'
import { showView, takeView } from './chooseAgent'
import { LaunchNotice } from './LaunchNotice'
import { MissingCli } from './MissingCli'
import { RefusedNotice } from './RefusedNotice'

/** The conversation of an agent; a raw terminal session cannot take messages, and says so. */
export function ChatCell({ nodeId, agent }: { nodeId: string; agent: ProjectAgent }) {
  const words = useWords()
  const place = useCellPlace()
  const renderDelegation = useCallback(
    (ticketId: string) => <DelegationCard ticketId={ticketId} onShow={(target) => place.showAgent(target)} />,
    [place],
  )
  return (
    <ChatView
      agent={agent}
      renderDelegation={renderDelegation}
      head={<AskStrip agent={agent} />}
      foot={
        <>
          <RequestCards agent={agent} />
          <div className="foot-notice">
            <LaunchNotice nodeId={nodeId} agent={agent} />
            <RefusedNotice nodeId={nodeId} agent={agent} view="chat" />
            <MissingCli agent={agent} />
            {agent.session?.kind === 'pty' && (
              <Notice tone="idle" icon="term" title={words.chat.inTerminal(agent.name)}>
                <p>{words.chat.inTerminalDetail}</p>
                <p className="acts">
                  <button type="button" className="btn s" onClick={() => showView(nodeId, agent.id, 'terminal')}>
                    {words.chat.toTerminal}
                  </button>
                  <button type="button" className="btn s quiet" onClick={() => void takeView(nodeId, agent, 'chat')}>
                    {words.chat.goOnHere}
                  </button>
                </p>
              </Notice>
            )}
          </div>
        </>
      }
    />
  )
}
