import { isAsk } from '../../state/askTools'
import { Markdown } from '../../ui/markdown/Markdown'
import type { Item, LiveTurn } from '../../wire/shapes'
import { Who } from './ItemView'
import { ToolLine } from './ToolLine'

interface LiveTurnViewProps {
  turn: LiveTurn
  recorded: readonly Item[]
  agentName: string
  /** The agent has not said anything in this turn: its name comes first. */
  isFirst: boolean
}

/** The newest of the running turn: tools that are not yet in the record, and the text as it streams. */
export function LiveTurnView({ turn, recorded, agentName, isFirst }: LiveTurnViewProps) {
  const known = new Set(recorded.filter((item) => item.turnId === turn.turnId).map((item) => item.tool?.callId))
  const tools = turn.tools.filter((tool) => !known.has(tool.callId) && !isAsk(tool))
  return (
    <div className="live-turn">
      {isFirst && <Who name={agentName} atMs={turn.startedAtMs} />}
      {tools.length > 0 && (
        <div className="tools">
          {tools.map((tool) => (
            <ToolLine key={tool.callId} tool={tool} />
          ))}
        </div>
      )}
      {turn.text !== '' && <Markdown text={turn.text} isStreaming />}
      {turn.text === '' && tools.length === 0 && (
        <p className="md">
          <span className="caret" />
        </p>
      )}
    </div>
  )
}
