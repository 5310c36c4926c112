import { useStore } from 'zustand'
import { beliefOf, faceOf } from '../../state/agentFace'
import { agentStore } from '../../state/agents'
import { serverNow } from '../../state/connection'
import { selectionStore } from '../../state/selection'
import { Glyph } from '../../ui/Glyph'
import { Tip } from '../../ui/Tip'
import { useNow } from '../../ui/useNow'
import { useLocale, useWords } from '../../words/useWords'

interface AgentRowProps {
  agentId: string
  onShow: (agentId: string) => void
}

/** Glyph, name, state; the chosen agent also says why we believe it, the others in their tooltip. */
export function AgentRow({ agentId, onShow }: AgentRowProps) {
  const words = useWords()
  const locale = useLocale()
  const agent = useStore(agentStore, (agents) => agents.get(agentId))
  const isChosen = useStore(selectionStore, (selection) => selection.agentId === agentId)
  const now = useNow(serverNow)
  if (agent === undefined) return null
  const face = faceOf(agent, words, locale, now)
  const belief = beliefOf(agent, words, now)
  const isQuiet = face.tone === 'idle' || face.tone === 'exited'
  const row = (
    <button
      type="button"
      className={isQuiet && !isChosen ? 'row agent quiet' : 'row agent'}
      aria-current={isChosen ? 'true' : undefined}
      onClick={() => onShow(agentId)}
    >
      <Glyph name={face.glyph} tone={face.tone} isLive={face.isLive} />
      <span className="name truncate">{agent.name}</span>
      <span className={`word state is-${face.tone}`}>{face.word}</span>
      {isChosen && (
        <span className="why" title={belief}>
          {belief}
        </span>
      )}
    </button>
  )
  return (
    <li>
      {isChosen ? (
        row
      ) : (
        <Tip text={belief} side="right">
          {row}
        </Tip>
      )}
    </li>
  )
}
