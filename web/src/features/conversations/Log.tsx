import { memo, type ReactNode } from 'react'
import { FailureNotice } from '../../bind/FailureNotice'
import type { ProjectAgent } from '../../state/agents'
import type { Conversation } from '../../state/conversations'
import { loadConversation, loadOlder } from '../../state/loadConversation'
import { isFirstLine, type StoryPart } from '../../state/turnStory'
import { Icon } from '../../ui/Icon'
import { useWords } from '../../words/useWords'
import { Announcements } from './Announcements'
import { DemoQuestion } from './DemoQuestion'
import { ItemBoundary } from './ItemBoundary'
import { ItemView, Who } from './ItemView'
import { LiveTurnView } from './LiveTurnView'
import { useStory } from './useStory'

interface LogProps {
  agent: ProjectAgent
  conversation: Conversation
  renderDelegation: (ticketId: string) => ReactNode
}

/** The conversation as far as it is loaded, then the running turn. */
export function Log({ agent, conversation, renderDelegation }: LogProps) {
  const words = useWords()
  const { phase, failure, hasMore, isLoadingOlder } = conversation
  const turn = agent.liveTurn
  const story = useStory(conversation.items, turn)
  return (
    <div className="log-content">
      {hasMore && (
        <button type="button" className="tool older" onClick={() => void loadOlder(agent.id)}>
          {isLoadingOlder ? words.loading : words.chat.older}
        </button>
      )}
      {phase === 'loading' && <p className="muted small">{words.loading}</p>}
      {failure !== null && (
        <FailureNotice
          title={words.chat.failed}
          failure={failure}
          actions={
            <button type="button" className="btn s" onClick={() => void loadConversation(agent.id)}>
              {words.retry}
            </button>
          }
        />
      )}
      {phase === 'ready' && story.length === 0 && turn === null && (
        <div className="blank">
          <Icon name="chat" size="l" />
          <h2>{words.chat.empty}</h2>
          <p>{words.chat.emptyDetail(agent.name)}</p>
          <DemoQuestion agent={agent} />
        </div>
      )}
      <Parts
        story={story}
        agentName={agent.name}
        turnId={turn?.turnId ?? ''}
        startedAtMs={turn?.startedAtMs ?? 0}
        renderDelegation={renderDelegation}
      />
      {turn !== null && (
        <ItemBoundary key={turn.turnId} text={turn.text}>
          <LiveTurnView
            turn={turn}
            recorded={conversation.items}
            agentName={agent.name}
            isFirst={isFirstLine(story.at(-1), turn.turnId)}
          />
        </ItemBoundary>
      )}
    </div>
  )
}

interface PartsProps {
  story: readonly StoryPart[]
  agentName: string
  /** The running turn. */
  turnId: string
  startedAtMs: number
  renderDelegation: (ticketId: string) => ReactNode
}

/** Apart from the streamed text, whose every word would draw all of it again. */
const Parts = memo(function Parts({ story, agentName, turnId, startedAtMs, renderDelegation }: PartsProps) {
  return story.map((part, index) => {
    const before = story[index - 1]
    if (part.kind === 'item') {
      const { key, item } = part
      const isFirst = isFirstLine(before, item.turnId)
      return (
        <ItemBoundary key={key} text={item.text}>
          <ItemView {...{ item, agentName, isFirst, renderDelegation }} />
        </ItemBoundary>
      )
    }
    return (
      <ItemBoundary key={part.key} text="">
        <div>
          {isFirstLine(before, turnId) && <Who name={agentName} atMs={startedAtMs} />}
          {part.kind === 'ask' ? renderDelegation(part.ticketId) : <Announcements said={part.said} />}
        </div>
      </ItemBoundary>
    )
  })
})
