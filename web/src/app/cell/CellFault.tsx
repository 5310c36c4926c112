import type { Fault } from '../../ui/Boundary'
import { useWords } from '../../words/useWords'
import { useCellPlace } from '../cellPlace'
import { Blank } from './Blank'

/** Instead of what a cell shows, when that could not be drawn. */
export function CellFault({ nodeId, fault }: { nodeId: string; fault: Fault }) {
  const words = useWords()
  const place = useCellPlace()
  return (
    <Blank icon="x" title={words.fault.cell} detail={`${words.fault.cellDetail} (${fault.text})`}>
      <button type="button" className="btn primary" onClick={fault.retry}>
        {words.retry}
      </button>
      <button type="button" className="btn" onClick={() => place.closeCell(nodeId)}>
        {words.cell.close}
      </button>
    </Blank>
  )
}
