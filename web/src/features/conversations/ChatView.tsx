import { type ReactNode, useEffect, useMemo } from 'react'
import { useStore } from 'zustand'
import { FailureNotice } from '../../bind/FailureNotice'
import type { ProjectAgent } from '../../state/agents'
import { conversationStore, EMPTY } from '../../state/conversations'
import { loadConversation, loadOlder } from '../../state/loadConversation'
import { Icon } from '../../ui/Icon'
import type { Item } from '../../wire/shapes'
import { useWords } from '../../words/useWords'
import { Composer } from './Composer'
import { ItemView } from './ItemView'
import { LiveTurnView } from './LiveTurnView'
import { isShown, useLiveParts } from './useLiveParts'
import { useStickToEnd } from './useStickToEnd'

interface ChatViewProps {
  agent: ProjectAgent
  renderDelegation: (ticketId: string) => ReactNode
  /** Above the conversation: who talks to it. */
  head?: ReactNode
  /** Between the conversation and the composer: requests, what stands in the way. */
  foot?: ReactNode
}

const NEAR_TOP_PX = 120

export function ChatView({ agent, renderDelegation, head, foot }: ChatViewProps) {
  const words = useWords()
  const conversation = useStore(conversationStore, (all) => all.get(agent.id)) ?? EMPTY
  const stick = useStickToEnd()
  const isKnown = useStore(conversationStore, (all) => all.has(agent.id))
  useEffect(() => {
    if (!isKnown) void loadConversation(agent.id)
  }, [isKnown, agent.id])
  const { phase } = conversation
  const items = useMemo(() => conversation.items.filter(isShown), [conversation.items])
  const turn = agent.liveTurn
  const live = useLiveParts(turn, items)
  const onScroll = () => {
    stick.onScroll()
    if ((stick.box.current?.scrollTop ?? NEAR_TOP_PX) < NEAR_TOP_PX) void loadOlder(agent.id)
  }
  return (
    <div className="chat">
      <div className="chat-main">
        {head}
        <div
          className="log"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it.
          tabIndex={0}
          role="log"
          aria-label={words.chat.log(agent.name)}
          ref={stick.box}
          onScroll={onScroll}
        >
          <div className="log-content">
            {conversation.hasMore && (
              <button type="button" className="tool older" onClick={() => void loadOlder(agent.id)}>
                {conversation.isLoadingOlder ? words.loading : words.chat.older}
              </button>
            )}
            {phase === 'loading' && <p className="muted small">{words.loading}</p>}
            {conversation.failure !== null && (
              <FailureNotice
                title={words.chat.failed}
                failure={conversation.failure}
                actions={
                  <button type="button" className="btn s" onClick={() => void loadConversation(agent.id)}>
                    {words.retry}
                  </button>
                }
              />
            )}
            {phase === 'ready' && items.length === 0 && turn === null && (
              <div className="blank">
                <Icon name="chat" size="l" />
                <h2>{words.chat.empty}</h2>
                <p>{words.chat.emptyDetail(agent.name)}</p>
              </div>
            )}
            {items.map((item, index) => (
              <ItemView
                key={item.seq}
                item={item}
                agentName={agent.name}
                isFirst={isFirst(items, index)}
                renderDelegation={renderDelegation}
              />
            ))}
            {turn !== null && (
              <LiveTurnView
                turn={turn}
                agentName={agent.name}
                tools={live.tools}
                hasItems={live.hasItems}
                asks={live.ticketIds.map((ticketId) => <div key={ticketId}>{renderDelegation(ticketId)}</div>)}
              />
            )}
          </div>
        </div>
        {!stick.isAtEnd && (
          <button type="button" className="btn s to-end" onClick={stick.toEnd}>
            <Icon name="down" size="s" />
            {words.chat.latest}
          </button>
        )}
      </div>
      <div className="chat-foot">
        {foot}
        <Composer agent={agent} onSent={stick.toEnd} />
      </div>
    </div>
  )
}

/** The agent's name stands over its first line after somebody else's. */
function isFirst(items: readonly Item[], index: number): boolean {
  const before = items[index - 1]
  return (
    before === undefined ||
    before.kind === 'prompt' ||
    before.kind === 'failure' ||
    before.turnId !== items[index]?.turnId
  )
}
