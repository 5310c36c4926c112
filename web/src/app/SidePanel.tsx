import { AgentList } from '../features/agents/AgentList'
import { QueuePanel } from '../features/delegations/QueuePanel'
import { NeedsYouPanel } from '../features/permissions/NeedsYouPanel'
import { ProjectMenu } from '../features/projects/ProjectMenu'
import { useWords } from '../words/useWords'

interface SidePanelProps {
  projectId: string
  onShow: (agentId: string) => void
}

export function SidePanel({ projectId, onShow }: SidePanelProps) {
  const words = useWords()
  return (
    <aside className="panel" aria-label={words.agents}>
      <div className="panel-head">
        <ProjectMenu projectId={projectId} />
      </div>
      <NeedsYouPanel projectId={projectId} onShow={onShow} />
      <AgentList projectId={projectId} onShow={onShow} />
      <QueuePanel projectId={projectId} />
    </aside>
  )
}
