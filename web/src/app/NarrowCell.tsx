import { useStore } from 'zustand'
import { Belief } from '../bind/Belief'
import { useFace } from '../bind/useFace'
import { PreviewFrame } from '../features/delegations/PreviewFrame'
import { agentStore, type ProjectAgent } from '../state/agents'
import { cellOf, cellStore } from '../state/cells'
import { showList } from '../state/selection'
import { Glyph } from '../ui/Glyph'
import { IconButton } from '../ui/IconButton'
import { Reveal } from '../ui/Reveal'
import { useWords } from '../words/useWords'
import { CellBody } from './cell/CellBody'
import { ViewToggle } from './cell/CellHeader'
import { CellMenu } from './cell/CellMenu'
import { useCellAgent } from './cell/useCellAgent'
import { useCellPlace } from './cellPlace'

/** One cell, the whole phone. */
export function NarrowCell({ agentId }: { agentId: string }) {
  const words = useWords()
  const place = useCellPlace()
  const agent = useStore(agentStore, (agents) => agents.get(agentId))
  const cell = useStore(cellStore, ({ byNode }) => cellOf(byNode, agentId))
  const { view } = useCellAgent(cell?.nodeId ?? '')
  if (agent === undefined || cell === undefined) return null
  return (
    <main className="narrow-cell" data-testid={`cell-${agent.slug}`} aria-label={agent.name}>
      <header className="phone-head">
        <IconButton icon="left" size="l" label={words.back} onClick={showList} />
        <Face agent={agent} />
        <ViewToggle nodeId={cell.nodeId} agent={agent} view={view} />
        <CellMenu nodeId={cell.nodeId} agent={agent} view={view} isSingle />
      </header>
      <PreviewFrame agentId={agent.id} onShow={(target) => place.showAgent(target)} />
      <CellBody nodeId={cell.nodeId} projectId={agent.projectId} isVisible />
    </main>
  )
}

function Face({ agent }: { agent: ProjectAgent }) {
  const face = useFace(agent)
  return (
    <>
      <Glyph name={face.glyph} tone={face.tone} isLive={face.isLive} />
      <div className="grow">
        <h1 className="truncate">{agent.name}</h1>
        <Reveal text={<Belief agent={agent} />} className="soft small truncate">
          {face.word}
        </Reveal>
      </div>
    </>
  )
}
