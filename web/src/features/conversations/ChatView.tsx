import { type ReactNode, useEffect } from 'react'
import { useStore } from 'zustand'
import type { ProjectAgent } from '../../state/agents'
import { conversationStore, EMPTY } from '../../state/conversations'
import { loadConversation, loadOlder } from '../../state/loadConversation'
import { Icon } from '../../ui/Icon'
import { useWords } from '../../words/useWords'
import { Composer } from './Composer'
import { Log } from './Log'
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
  const conversation = useStore(conversationStore, (all) => all.get(agent.id))
  const stick = useStickToEnd()
  const isKnown = conversation !== undefined
  useEffect(() => {
    if (!isKnown) void loadConversation(agent.id)
  }, [isKnown, agent.id])
  const onScroll = () => {
    stick.onScroll()
    const isNearTop = (stick.box.current?.scrollTop ?? NEAR_TOP_PX) < NEAR_TOP_PX
    // What failed is tried again when the person says so, not with every move.
    if (isNearTop && conversation?.older === 'there') void loadOlder(agent.id)
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
          <Log agent={agent} conversation={conversation ?? EMPTY} renderDelegation={renderDelegation} />
        </div>
        {!stick.isAtEnd && (
          <button type="button" className="btn s to-end" onClick={stick.toEnd}>
            <Icon name="down" size="s" />
            {words.chat.latest}
          </button>
        )}
      </div>
      <div className="chat-foot">
        <div className="foot-top">{foot}</div>
        <Composer agent={agent} onSent={stick.toEnd} />
      </div>
    </div>
  )
}
