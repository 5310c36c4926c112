import { useStore } from 'zustand'
import { FailureNotice } from '../../bind/FailureNotice'
import type { ProjectAgent } from '../../state/agents'
import { ownMessages } from '../../state/conversations'
import { NOTHING, sendWritten, write, writingStore } from '../../state/writing'
import { MessageBox } from '../../ui/MessageBox'
import { useWords } from '../../words/useWords'
import { QueuedByYou } from './QueuedByYou'
import { StopTurn } from './StopTurn'

interface ComposerProps {
  agent: ProjectAgent
  onSent: () => void
}

/** For the agent's queue: it can always be sent. */
export function Composer({ agent, onSent }: ComposerProps) {
  const words = useWords()
  const { text, sending, failure } = useStore(writingStore, (all) => all.get(agent.id) ?? NOTHING)
  const { liveTurn } = agent
  const send = async () => {
    if (await sendWritten(agent.id)) onSent()
  }
  return (
    <MessageBox
      label={words.chat.message(agent.name)}
      text={text}
      onWrite={(next) => write(agent.id, next)}
      onSend={() => void send()}
      earlier={() => ownMessages(agent.id)}
      hint={liveTurn === null ? words.chat.hint : words.chat.sentNext(agent.name)}
      isSending={sending.length > 0}
      actions={liveTurn !== null && <StopTurn agentId={agent.id} turnId={liveTurn.turnId} />}
    >
      <QueuedByYou agent={agent} />
      {failure !== null && <FailureNotice title={words.chat.notSent} failure={failure} />}
    </MessageBox>
  )
}
