import { useStore } from 'zustand'
import { useShallow } from 'zustand/react/shallow'
import { agentStore } from '../../state/agents'
import { cellStore } from '../../state/cells'
import { useWords } from '../../words/useWords'
import { Blank } from './Blank'
import { chooseAgent } from './chooseAgent'

/** A free cell: the agents that are in no cell yet, one click each. */
export function EmptyCell({ nodeId, projectId }: { nodeId: string; projectId: string }) {
  const words = useWords()
  const placed = useStore(
    cellStore,
    useShallow(({ byNode }) => [...byNode.values()].map((cell) => cell.agentId)),
  )
  const ids = useStore(
    agentStore,
    useShallow((all) => [...all.values()].filter((one) => one.projectId === projectId).map((one) => one.id)),
  )
  return (
    <Blank icon="grid" title={words.cell.empty} detail={words.cell.emptyDetail}>
      {ids
        .filter((id) => !placed.includes(id))
        .map((id) => (
          <Choice key={id} nodeId={nodeId} agentId={id} />
        ))}
    </Blank>
  )
}

function Choice({ nodeId, agentId }: { nodeId: string; agentId: string }) {
  const name = useStore(agentStore, (all) => all.get(agentId)?.name)
  const choose = () => {
    const agent = agentStore.getState().get(agentId)
    if (agent !== undefined) void chooseAgent(nodeId, agent)
  }
  return (
    <button type="button" className="btn" onClick={choose}>
      {name}
    </button>
  )
}
