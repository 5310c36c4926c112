import { faceOf } from '../../state/agentFace'
import { serverNow } from '../../state/connection'
import { Glyph } from '../../ui/Glyph'
import { useLocale, useWords } from '../../words/useWords'
import { useCellAgent } from './useCellAgent'

/** Glyph and name; seen only where several cells share a frame. */
export function CellTab({ nodeId }: { nodeId: string }) {
  const words = useWords()
  const locale = useLocale()
  const { agent } = useCellAgent(nodeId)
  if (agent === undefined) return <span className="cell-tab">{words.cell.emptyRegion}</span>
  const face = faceOf(agent, words, locale, serverNow())
  return (
    <span className="cell-tab">
      <Glyph name={face.glyph} tone={face.tone} isLive={face.isLive} />
      <span className="truncate">{agent.name}</span>
    </span>
  )
}
