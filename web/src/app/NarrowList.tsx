import { useStore } from 'zustand'
import { useShallow } from 'zustand/react/shallow'
import { Belief } from '../bind/Belief'
import { useArmed } from '../bind/useArmed'
import { useFace } from '../bind/useFace'
import { useNeeds } from '../bind/useNeeds'
import { BrokenFiles } from '../features/agents/BrokenFiles'
import { SideSession } from '../features/agents/SideSession'
import { AskCard } from '../features/permissions/AskCard'
import { ProjectMenu } from '../features/projects/ProjectMenu'
import { agentStore, type ProjectAgent } from '../state/agents'
import type { ProjectFacts } from '../state/project'
import { openDialog } from '../state/selection'
import { Glyph } from '../ui/Glyph'
import { IconButton } from '../ui/IconButton'
import { useWords } from '../words/useWords'
import { LanguageButton, ThemeMenu } from './StatusBar'

interface NarrowListProps {
  project: ProjectFacts
  onShow: (agentId: string) => void
}

/** What needs the person first, then every agent. */
export function NarrowList({ project, onShow }: NarrowListProps) {
  const words = useWords()
  const needs = useNeeds(project.id)
  const { isArmed } = useArmed(needs.map((need) => need.id).join(' '))
  const agents = useStore(
    agentStore,
    useShallow((all) => [...all.values()].filter((one) => one.projectId === project.id)),
  )
  return (
    <main className="narrow-list">
      <h1 className="hidden-label">{project.name}</h1>
      <header className="phone-head">
        <ProjectMenu projectId={project.id} />
        <span className="grow" />
        <LanguageButton />
        <ThemeMenu />
      </header>
      <div className="phone-body">
        {needs.length > 0 && (
          <section aria-label={words.needs.title} className="ask-cards">
            {needs.map((need) => (
              <AskCard key={need.id} need={need} isArmed={isArmed} onShow={onShow} />
            ))}
          </section>
        )}
        <section aria-label={words.agents}>
          <h2 className="sec-head">
            {words.agents} <span className="n">{agents.length}</span>
            <IconButton
              icon="plus"
              label={words.agentList.new}
              onClick={() => openDialog({ name: 'newAgent', draft: {} })}
            />
          </h2>
          <ul className="big-list">
            {agents.map((agent) => (
              <NarrowRow key={agent.id} agent={agent} onShow={onShow} />
            ))}
          </ul>
          <BrokenFiles projectId={project.id} />
        </section>
      </div>
    </main>
  )
}

function NarrowRow({ agent, onShow }: { agent: ProjectAgent; onShow: (agentId: string) => void }) {
  const face = useFace(agent)
  return (
    <li>
      <button type="button" className="inset" onClick={() => onShow(agent.id)}>
        <Glyph name={face.glyph} tone={face.tone} isLive={face.isLive} />
        <span>
          <span className="nm">{agent.name}</span>
          <span className="sub">
            <Belief agent={agent.sideSession === null ? agent : { ...agent, sideSession: null }} />
          </span>
          <SideSession agent={agent} />
        </span>
        <span className={`word is-${face.tone}`}>{face.word}</span>
      </button>
    </li>
  )
}
