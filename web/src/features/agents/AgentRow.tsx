import { useStore } from 'zustand'
import { Belief } from '../../bind/Belief'
import { useFace } from '../../bind/useFace'
import { agentStore, type ProjectAgent } from '../../state/agents'
import { cellOf, cellStore, chosenAgent } from '../../state/cells'
import { Glyph } from '../../ui/Glyph'
import { Tip } from '../../ui/Tip'
import { useWords } from '../../words/useWords'
import { SideSession } from './SideSession'

interface AgentRowProps {
  agentId: string
  onShow: (agentId: string) => void
}

/** Glyph, name, state; the chosen agent also says why we believe it, the others in their tooltip. */
export function AgentRow({ agentId, onShow }: AgentRowProps) {
  const agent = useStore(agentStore, (agents) => agents.get(agentId))
  return agent === undefined ? null : <Row agent={agent} onShow={onShow} />
}

function Row({ agent, onShow }: { agent: ProjectAgent; onShow: (agentId: string) => void }) {
  const isChosen = useStore(cellStore, (cells) => chosenAgent(cells) === agent.id)
  const words = useWords()
  const isPlaced = useStore(cellStore, ({ byNode }) => cellOf(byNode, agent.id) !== undefined)
  const isAway = agent.session !== null && !isPlaced
  const face = useFace(agent)
  // What its session beside is at has a line of its own.
  const itself = agent.sideSession === null ? agent : { ...agent, sideSession: null }
  const isQuiet = face.tone === 'idle' || face.tone === 'exited'
  return (
    <li>
      <Tip
        side="right"
        text={
          <>
            <Belief agent={agent} />
            {isAway && `\n${words.agentList.background}`}
          </>
        }
      >
        <button
          type="button"
          className={isQuiet && !isChosen ? 'row agent quiet' : 'row agent'}
          data-beside={agent.sideSession === null ? undefined : ''}
          aria-current={isChosen ? 'true' : undefined}
          onClick={() => onShow(agent.id)}
        >
          <Glyph name={face.glyph} tone={face.tone} isLive={face.isLive} />
          <span className="name truncate">{agent.name}</span>
          <span className={`word state is-${face.tone}`}>{face.word}</span>
          <SideSession agent={agent} />
          {isChosen && <span className="why">{isAway ? words.agentList.background : <Belief agent={itself} />}</span>}
        </button>
      </Tip>
    </li>
  )
}
