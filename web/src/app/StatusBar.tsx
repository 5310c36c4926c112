import { useStore } from 'zustand'
import { useShallow } from 'zustand/react/shallow'
import { useNeeds } from '../bind/useNeeds'
import { LayoutMenu } from '../features/layouts/LayoutMenu'
import { agentStore, type ProjectAgent } from '../state/agents'
import { connectionStore } from '../state/connection'
import { preferenceStore, THEMES } from '../state/preferences'
import type { ProjectFacts } from '../state/project'
import { Glyph } from '../ui/Glyph'
import { Icon } from '../ui/Icon'
import { Menu, MenuChoice } from '../ui/Menu'
import { useLocale, useWords } from '../words/useWords'
import { clockTime } from '../words/words'

interface StatusBarProps {
  project: ProjectFacts | undefined
  /** Cells are in view, so there is a layout of them. */
  hasCells: boolean
}

/** How the page stands: connection, who needs you, what is at work; layout, language and theme. */
export function StatusBar({ project, hasCells }: StatusBarProps) {
  const words = useWords()
  const phase = useStore(connectionStore, (connection) => connection.phase.name)
  const isOnline = phase === 'online'
  return (
    <footer className="status">
      <span className={isOnline ? undefined : 'state is-stalled'} data-testid="connection" data-phase={phase}>
        <Icon name="link" size="s" />
        {isOnline ? words.connection.online : phase === 'lost' ? words.connection.lost : words.connection.connecting}
      </span>
      {project !== undefined && <Counts projectId={project.id} />}
      <span className="gap" />
      {project !== undefined && hasCells && <LayoutMenu project={project} />}
      <LanguageButton />
      <ThemeMenu />
    </footer>
  )
}

function Counts({ projectId }: { projectId: string }) {
  const words = useWords()
  const locale = useLocale()
  const needs = useNeeds(projectId)
  const { total, working, queued, limited, until } = useStore(
    agentStore,
    useShallow((all) => countsOf([...all.values()].filter((one) => one.projectId === projectId))),
  )
  return (
    <>
      {needs.length > 0 && <span className="state is-needs-you">{words.counts.needYou(needs.length)}</span>}
      <span>{words.counts.agents(total, working)}</span>
      {queued > 0 && <span>{words.counts.queued(queued)}</span>}
      {limited > 0 && (
        <span>
          <Glyph name="limited" tone="limited" />
          {words.counts.limited(limited, until === null ? null : clockTime(until, locale))}
        </span>
      )}
    </>
  )
}

interface AgentCounts {
  total: number
  working: number
  queued: number
  limited: number
  /** The earliest end of a limit. */
  until: number | null
}

function countsOf(agents: readonly ProjectAgent[]): AgentCounts {
  const limited = agents.filter((agent) => agent.readiness.state === 'rateLimited')
  const ends = limited.map((agent) => agent.readiness.untilAtMs).filter((time) => time !== null)
  return {
    total: agents.length,
    working: agents.filter((agent) => agent.readiness.state === 'working').length,
    queued: agents.reduce((sum, agent) => sum + agent.queueLength, 0),
    limited: limited.length,
    until: ends.length === 0 ? null : Math.min(...ends),
  }
}

export function LanguageButton() {
  const words = useWords()
  const locale = useLocale()
  const other = locale === 'fr' ? 'en' : 'fr'
  return (
    <button
      type="button"
      className="ib"
      aria-label={words.language.choose}
      onClick={() => preferenceStore.setState({ locale: other })}
    >
      <Icon name="globe" size="s" />
      <span className="word">{words.language.name}</span>
    </button>
  )
}

export function ThemeMenu() {
  const words = useWords()
  const theme = useStore(preferenceStore, (preferences) => preferences.theme)
  const choose = (value: string) => {
    const chosen = THEMES.find((one) => one === value)
    if (chosen !== undefined) preferenceStore.setState({ theme: chosen })
  }
  return (
    <Menu
      align="end"
      trigger={
        <button type="button" className="ib" aria-label={words.theme.choose}>
          <Icon name="theme" size="s" />
          <span className="word">{words.theme.label}</span>
        </button>
      }
    >
      <MenuChoice
        value={theme}
        onChoose={choose}
        choices={THEMES.map((value) => ({ value, label: words.theme[value] }))}
      />
    </Menu>
  )
}
