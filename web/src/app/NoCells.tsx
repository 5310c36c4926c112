import { useWords } from '../words/useWords'
import { Blank } from './cell/Blank'
import { useCellPlace } from './cellPlace'

/** The grid after its last cell was closed. */
export function NoCells() {
  const words = useWords()
  const place = useCellPlace()
  return (
    <Blank icon="grid" title={words.cell.noneOpen} detail={words.cell.noneOpenDetail}>
      <button type="button" className="btn" onClick={() => place.split(null, 'right')}>
        {words.cell.openOne}
      </button>
    </Blank>
  )
}
