import { IconButton } from '../../ui/IconButton'
import { useWords } from '../../words/useWords'
import { useCellPlace } from '../cellPlace'
import { CellMenu } from './CellMenu'
import { useCellAgent } from './useCellAgent'

/** Menu and maximise, at the end of the cell's header. */
export function CellEnd({ nodeId, isMaximised }: { nodeId: string; isMaximised: boolean }) {
  const words = useWords()
  const place = useCellPlace()
  const { agent, view } = useCellAgent(nodeId)
  return (
    <span className="cell-end">
      <CellMenu nodeId={nodeId} agent={agent} view={view} />
      <IconButton
        icon={isMaximised ? 'minus' : 'max'}
        label={isMaximised ? words.cell.restore : words.cell.maximise}
        onClick={() => place.toggleMaximised(nodeId)}
      />
    </span>
  )
}
