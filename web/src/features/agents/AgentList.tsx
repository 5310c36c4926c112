import { useStore } from 'zustand'
import { useShallow } from 'zustand/react/shallow'
import { agentStore } from '../../state/agents'
import { openDialog } from '../../state/selection'
import { IconButton } from '../../ui/IconButton'
import { useWords } from '../../words/useWords'
import { AgentRow } from './AgentRow'
import { BrokenFiles } from './BrokenFiles'

interface AgentListProps {
  projectId: string
  onShow: (agentId: string) => void
}

/** The agents of a project in their own order: nothing moves when a state changes. */
export function AgentList({ projectId, onShow }: AgentListProps) {
  const words = useWords()
  const ids = useStore(
    agentStore,
    useShallow((agents) => [...agents.values()].filter((one) => one.projectId === projectId).map((one) => one.id)),
  )
  return (
    <section className="sec" aria-label={words.agents}>
      <h2 className="sec-head">
        {words.agents} <span className="n">{ids.length}</span>
        <IconButton
          icon="plus"
          label={words.agentList.new}
          onClick={() => openDialog({ name: 'newAgent', draft: {} })}
        />
      </h2>
      <ul>
        {ids.map((id) => (
          <AgentRow key={id} agentId={id} onShow={onShow} />
        ))}
      </ul>
      <BrokenFiles projectId={projectId} />
    </section>
  )
}
