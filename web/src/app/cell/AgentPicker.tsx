import { useStore } from 'zustand'
import { useShallow } from 'zustand/react/shallow'
import { faceOf } from '../../state/agentFace'
import { agentStore, type ProjectAgent } from '../../state/agents'
import { cellOf, cellStore } from '../../state/cells'
import { serverNow } from '../../state/connection'
import { Glyph } from '../../ui/Glyph'
import { Icon } from '../../ui/Icon'
import { Menu, MenuItem, SubMenu } from '../../ui/Menu'
import { useLocale, useWords } from '../../words/useWords'
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
  const locale = useLocale()
  const agents = useStore(
    agentStore,
    useShallow((all) => [...all.values()].filter((one) => one.projectId === projectId)),
  )
  const face = agent === undefined ? null : faceOf(agent, words, locale, serverNow())
  return (
    <Menu
      trigger={
        <button
          type="button"
          className="pick"
          aria-label={agent === undefined ? words.cell.choose : words.cell.chooseFor(agent.name)}
        >
          {!isBare && face !== null && <Glyph name={face.glyph} tone={face.tone} isLive={face.isLive} />}
          {!isBare && <span className="truncate">{agent?.name ?? words.cell.choose}</span>}
          <Icon name="down" size="s" />
        </button>
      }
    >
      {agents.map((one) => (
        <AgentChoice key={one.id} agent={one} nodeId={nodeId} />
      ))}
    </Menu>
  )
}

function AgentChoice({ agent, nodeId }: { agent: ProjectAgent; nodeId: string }) {
  const words = useWords()
  const locale = useLocale()
  const place = useCellPlace()
  const elsewhere = useStore(cellStore, ({ byNode }) => {
    const cell = cellOf(byNode, agent.id)
    return cell !== undefined && cell.nodeId !== nodeId ? cell.nodeId : null
  })
  const face = faceOf(agent, words, locale, serverNow())
  const name = (
    <>
      <Glyph name={face.glyph} tone={face.tone} />
      <span className="strong truncate">{agent.name}</span>
    </>
  )
  if (elsewhere === null) {
    return (
      <MenuItem onSelect={() => void chooseAgent(nodeId, agent)}>
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
      <MenuItem icon="arrow" onSelect={() => place.focus(elsewhere)}>
        {words.cell.goTo}
      </MenuItem>
      <MenuItem icon="open" onSelect={() => void chooseAgent(nodeId, agent)}>
        {words.cell.moveHere}
      </MenuItem>
    </SubMenu>
  )
}
