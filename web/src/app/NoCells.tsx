import { useStore } from 'zustand'
import { agentStore } from '../state/agents'
import { openDialog } from '../state/selection'
import { useWords } from '../words/useWords'
import { Blank } from './cell/Blank'
import { useCellPlace } from './cellPlace'
import { useProjectId } from './projectContext'

/** The grid after its last cell was closed, or of a project whose every agent file is broken. */
export function NoCells() {
  const words = useWords()
  const place = useCellPlace()
  const projectId = useProjectId()
  const hasAgents = useStore(agentStore, (all) => [...all.values()].some((one) => one.projectId === projectId))
  if (!hasAgents) {
    return (
      <Blank icon="grid" heading="h2" title={words.cell.noAgents} detail={words.cell.noAgentsDetail}>
        <button
          type="button"
          className="btn primary"
          onClick={() => openDialog({ name: 'newAgent', draft: { name: 'Main' } })}
        >
          {words.agentList.new}
        </button>
      </Blank>
    )
  }
  return (
    <Blank icon="grid" heading="h2" title={words.cell.noneOpen} detail={words.cell.noneOpenDetail}>
      <button type="button" className="btn" onClick={() => place.split(null, 'right')}>
        {words.cell.openOne}
      </button>
    </Blank>
  )
}
