import { useStore } from 'zustand'
import { useShallow } from 'zustand/react/shallow'
import { useFace } from '../../bind/useFace'
import { agentStore, type ProjectAgent } from '../../state/agents'
import { cellOf, cellStore } from '../../state/cells'
import { Glyph } from '../../ui/Glyph'
import { Icon } from '../../ui/Icon'
import { Menu, MenuItem, SubMenu } from '../../ui/Menu'
import { useWords } from '../../words/useWords'
import { useCellPlace } from '../cellPlace'
import { chooseAgent } from './chooseAgent'

interface AgentPickerProps {
  nodeId: string
  projectId: string
  agent: ProjectAgent | undefined
  /** The tab beside it already says the name. */
  isBare?: boolean
}

/** The drop-list of agents; those in another cell can be gone to or moved here. */
export function AgentPicker({ nodeId, projectId, agent, isBare = false }: AgentPickerProps) {
  const words = useWords()
  return (
    <Menu
      trigger={
        <button
          type="button"
          className="pick"
          aria-label={agent === undefined ? words.cell.choose : words.cell.chooseFor(agent.name)}
        >
          {!isBare && agent !== undefined && <FaceGlyph agent={agent} />}
          {!isBare && <span className="truncate">{agent?.name ?? words.cell.choose}</span>}
          <Icon name="down" size="s" />
        </button>
      }
    >
      <Choices nodeId={nodeId} projectId={projectId} />
    </Menu>
  )
}

function FaceGlyph({ agent }: { agent: ProjectAgent }) {
  const face = useFace(agent)
  return <Glyph name={face.glyph} tone={face.tone} isLive={face.isLive} />
}

/** Mounted while the list is open: only then does a change of another agent matter here. */
function Choices({ nodeId, projectId }: { nodeId: string; projectId: string }) {
  const agents = useStore(
    agentStore,
    useShallow((all) => [...all.values()].filter((one) => one.projectId === projectId)),
  )
  return agents.map((one) => <AgentChoice key={one.id} agent={one} nodeId={nodeId} />)
}

function AgentChoice({ agent, nodeId }: { agent: ProjectAgent; nodeId: string }) {
  const words = useWords()
  const place = useCellPlace()
  const cell = useStore(cellStore, ({ byNode }) => cellOf(byNode, agent.id)?.nodeId)
  const face = useFace(agent)
  const name = (
    <>
      <Glyph name={face.glyph} tone={face.tone} />
      <span className="strong truncate">{agent.name}</span>
    </>
  )
  if (cell === undefined || cell === nodeId) {
    return (
      <MenuItem isCurrent={cell === nodeId} onSelect={() => void chooseAgent(nodeId, agent)}>
        {name}
        <span className="then">{face.word}</span>
      </MenuItem>
    )
  }
  return (
    <SubMenu
      label={
        <>
          {name}
          <span className="then">{words.cell.placed}</span>
        </>
      }
    >
      <MenuItem icon="arrow" onSelect={() => place.focus(cell)}>
        {words.cell.goTo}
      </MenuItem>
      <MenuItem icon="open" onSelect={() => void chooseAgent(nodeId, agent)}>
        {words.cell.moveHere}
      </MenuItem>
    </SubMenu>
  )
}
