import { useStore } from 'zustand'
import { useShallow } from 'zustand/react/shallow'
import { agentStore } from '../../state/agents'
import { cellOf, cellStore } from '../../state/cells'
import { useWords } from '../../words/useWords'
import { Blank } from './Blank'
import { chooseAgent } from './chooseAgent'

/** A free cell: the agents that are in no cell yet, one click each. */
export function EmptyCell({ nodeId, projectId }: { nodeId: string; projectId: string }) {
  const words = useWords()
  const cells = useStore(cellStore, ({ byNode }) => byNode)
  const agents = useStore(
    agentStore,
    useShallow((all) => [...all.values()].filter((one) => one.projectId === projectId)),
  )
  return (
    <Blank icon="grid" title={words.cell.empty} detail={words.cell.emptyDetail}>
      {agents
        .filter((agent) => cellOf(cells, agent.id) === undefined)
        .map((agent) => (
          <button key={agent.id} type="button" className="btn" onClick={() => void chooseAgent(nodeId, agent)}>
            {agent.name}
          </button>
        ))}
    </Blank>
  )
}
