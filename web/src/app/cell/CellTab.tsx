import { useFace } from '../../bind/useFace'
import type { ProjectAgent } from '../../state/agents'
import { Glyph } from '../../ui/Glyph'
import { useWords } from '../../words/useWords'
import { useCellAgent } from './useCellAgent'

/** Glyph and name; seen only where several cells share a frame. */
export function CellTab({ nodeId }: { nodeId: string }) {
  const words = useWords()
  const { agent } = useCellAgent(nodeId)
  return <span className="cell-tab">{agent === undefined ? words.cell.emptyRegion : <Named agent={agent} />}</span>
}

function Named({ agent }: { agent: ProjectAgent }) {
  const face = useFace(agent)
  return (
    <>
      <Glyph name={face.glyph} tone={face.tone} isLive={face.isLive} />
      <span className="truncate">{agent.name}</span>
    </>
  )
}
