import { Boundary } from '../../ui/Boundary'
import { useWords } from '../../words/useWords'
import { Blank } from './Blank'
import { CellFault } from './CellFault'
import { ChatCell } from './ChatCell'
import { EmptyCell } from './EmptyCell'
import { TerminalCell } from './TerminalCell'
import { useCellAgent } from './useCellAgent'
import { useCellTitle } from './useCellTitle'

interface CellBodyProps {
  nodeId: string
  projectId: string
  isVisible: boolean
}

export function CellBody({ nodeId, projectId, isVisible }: CellBodyProps) {
  const words = useWords()
  const title = useCellTitle(nodeId)
  const { agentId, agent, view } = useCellAgent(nodeId)
  return (
    <div className="cell-body">
      <h2 className="hidden-label">{title}</h2>
      <Boundary key={`${agentId} ${view}`} fallback={(fault) => <CellFault nodeId={nodeId} fault={fault} />}>
        {agentId === null && <EmptyCell nodeId={nodeId} projectId={projectId} />}
        {agentId !== null && agent === undefined && <Blank icon="x" title={words.cell.gone} />}
        {agent !== undefined && view === 'chat' && <ChatCell key={agent.id} nodeId={nodeId} agent={agent} />}
        {agent !== undefined && view === 'terminal' && (
          <TerminalCell key={agent.id} nodeId={nodeId} agent={agent} isVisible={isVisible} />
        )}
      </Boundary>
    </div>
  )
}
