import { AgentList } from '../features/agents/AgentList'
import { QueuePanel } from '../features/delegations/QueuePanel'
import { NeedsYouPanel } from '../features/permissions/NeedsYouPanel'
import { ProjectMenu } from '../features/projects/ProjectMenu'
import type { ProjectFacts } from '../state/project'
import { useWords } from '../words/useWords'

interface SidePanelProps {
  project: ProjectFacts
  onShow: (agentId: string) => void
}

export function SidePanel({ project, onShow }: SidePanelProps) {
  const words = useWords()
  return (
    <aside className="panel" aria-label={words.agents}>
      <h1 className="hidden-label">{project.name}</h1>
      <div className="panel-head">
        <ProjectMenu projectId={project.id} />
      </div>
      <NeedsYouPanel projectId={project.id} onShow={onShow} />
      <AgentList projectId={project.id} onShow={onShow} />
      <QueuePanel projectId={project.id} />
    </aside>
  )
}
