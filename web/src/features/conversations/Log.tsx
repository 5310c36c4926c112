import { memo, type ReactNode } from 'react'
import { Awaited } from '../../bind/Awaited'
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
  const { newest, older, hasMore, items } = conversation
  const turn = agent.liveTurn
  const story = useStory(items, turn)
  return (
    <div className="log-content">
      <Awaited arrival={older} title={words.chat.olderFailed} onRetry={() => void loadOlder(agent.id)} />
      {hasMore && older === 'there' && (
        <button type="button" className="tool older" onClick={() => void loadOlder(agent.id)}>
          {words.chat.older}
        </button>
      )}
      <Awaited
        // Asked for once more, what is shown is not replaced by the word that it comes.
        arrival={newest === 'awaited' && items.length > 0 ? 'there' : newest}
        title={words.chat.failed}
        onRetry={() => void loadConversation(agent.id)}
      />
      {newest === 'there' && story.length === 0 && turn === null && (
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
            recorded={items}
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
