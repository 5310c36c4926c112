import { memo, type ReactNode } from 'react'
import { useStore } from 'zustand'
import { calm } from '../../lib/visibleText'
import { delegationStore } from '../../state/delegations'
import { isPerson } from '../../state/person'
import { Markdown } from '../../ui/markdown/Markdown'
import { Said } from '../../ui/Said'
import type { Item } from '../../wire/shapes'
import { useLocale, useWords } from '../../words/useWords'
import { clockTime } from '../../words/words'
import { FailureItem } from './FailureItem'
import { ToolLine } from './ToolLine'

interface ItemViewProps {
  item: Item
  agentName: string
  /** The agent's first line since somebody else spoke: it says who and when. */
  isFirst: boolean
  renderDelegation: (ticketId: string) => ReactNode
}

export const ItemView = memo(function ItemView({ item, agentName, isFirst, renderDelegation }: ItemViewProps) {
  const who = isFirst && <Who name={agentName} atMs={item.atMs} />
  switch (item.kind) {
    case 'prompt':
      return <Prompt item={item} />
    case 'answer':
      return (
        <div className="item">
          {who}
          <Markdown text={item.text} />
        </div>
      )
    case 'tool':
      return item.tool === null ? null : (
        <div className="item tool-item">
          {who}
          <div className="tools">
            <ToolLine tool={item.tool} />
          </div>
        </div>
      )
    case 'asked':
      return item.ticketId === null ? null : (
        <div className="item">
          {who}
          {renderDelegation(item.ticketId)}
        </div>
      )
    case 'failure':
      return (
        <div className="item">
          <FailureItem item={item} />
        </div>
      )
    case 'mark':
      return <MarkLine item={item} />
    default:
      return item.kind satisfies never
  }
})

/** Where the conversation took another way; one that a later version made is told in its own words. */
function MarkLine({ item }: { item: Item }) {
  const words = useWords()
  const { mark } = item.fields
  const text = typeof mark === 'string' ? new Map<string, string>(Object.entries(words.mark)).get(mark) : undefined
  return (
    <div className="way-mark">
      <span>{text ?? calm(item.text)}</span>
      <Clock atMs={item.atMs} />
    </div>
  )
}

export function Who({ name, atMs }: { name: string; atMs: number }) {
  const locale = useLocale()
  return (
    <p className="who">
      <b>{name}</b>
      <time dateTime={new Date(atMs).toISOString()}>{clockTime(atMs, locale)}</time>
    </p>
  )
}

/** What the agent was told: by the person, or by another agent, then with its ticket. */
function Prompt({ item }: { item: Item }) {
  const words = useWords()
  const ask = useStore(delegationStore, (all) => all.get(item.ticketId ?? ''))
  const isOwn = isPerson(item.author)
  const author = isOwn ? words.you : words.chat.asks(ask?.requester.name ?? words.agent)
  return (
    <div className="said">
      <p className="who">
        <b>{author}</b>
        <Clock atMs={item.atMs} />
        {ask !== undefined && <span className="ref">D-{ask.number}</span>}
        {item.fields.beside === 'terminal' && <span className="tag">{words.overlay.beside}</span>}
      </p>
      {isOwn ? (
        <p className="md plain">
          <Said text={item.text} />
        </p>
      ) : (
        <Markdown text={ask?.message ?? item.text} />
      )}
    </div>
  )
}

function Clock({ atMs }: { atMs: number }) {
  const locale = useLocale()
  return <time dateTime={new Date(atMs).toISOString()}>{clockTime(atMs, locale)}</time>
}
