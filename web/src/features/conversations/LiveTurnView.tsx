import { type ReactNode, useState } from 'react'
import { Markdown } from '../../ui/markdown/Markdown'
import type { LiveTurn, Tool } from '../../wire/shapes'
import { useLocale, useWords } from '../../words/useWords'
import { exactTime } from '../../words/words'
import { Who } from './ItemView'
import { ToolLine } from './ToolLine'

interface LiveTurnViewProps {
  turn: LiveTurn
  agentName: string
  /** Tools that are not yet in the record. */
  tools: readonly Tool[]
  /** The record already shows something of this turn under the agent's name. */
  hasItems: boolean
  /** Asks of this turn that the record does not show yet. */
  asks: ReactNode
}

/** The running turn: tools, announcements, text as it streams. All but what enters the record vanishes with it. */
export function LiveTurnView({ turn, agentName, tools, hasItems, asks }: LiveTurnViewProps) {
  const isSilent = turn.text === '' && tools.length === 0 && turn.announcements.length === 0
  return (
    <div className="live-turn">
      {!hasItems && <Who name={agentName} atMs={turn.startedAtMs} />}
      {asks}
      {tools.length > 0 && (
        <div className="tools">
          {tools.map((tool) => (
            <ToolLine key={tool.callId} tool={tool} />
          ))}
        </div>
      )}
      <Announcements said={turn.announcements} />
      {turn.text !== '' && <Markdown text={turn.text} isStreaming />}
      {isSilent && (
        <p className="md">
          <span className="caret" />
        </p>
      )}
    </div>
  )
}

const SHOWN = 4

function Announcements({ said }: { said: LiveTurn['announcements'] }) {
  const words = useWords()
  const locale = useLocale()
  const [isAll, setIsAll] = useState(false)
  if (said.length === 0) return null
  const hidden = isAll ? 0 : Math.max(0, said.length - SHOWN)
  return (
    <div className="announced" title={words.chat.announcements}>
      {hidden > 0 && (
        <button type="button" className="tool" onClick={() => setIsAll(true)}>
          {words.chat.earlier(hidden)}
        </button>
      )}
      <ul className="says" aria-label={words.chat.announcements}>
        {said.slice(hidden).map((one) => (
          <li key={`${one.atMs}-${one.text}`}>
            <time>{exactTime(one.atMs, locale)}</time>
            <span>{one.text}</span>
          </li>
        ))}
      </ul>
    </div>
  )
}
