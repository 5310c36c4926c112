import { Tooltip } from 'radix-ui'
import { useEffect, useLayoutEffect } from 'react'
import { useStore } from 'zustand'
import { useNeeds } from '../bind/useNeeds'
import { useShownTheme } from '../bind/useShownTheme'
import { connectionStore } from '../state/connection'
import { preferenceStore } from '../state/preferences'
import { type ProjectFacts, projectStore } from '../state/project'
import { selectionStore } from '../state/selection'
import { Sprite } from '../ui/Sprite'
import { LocaleContext, useWords } from '../words/useWords'
import { settledLocale } from '../words/words'
import { ConnectionBanner } from './ConnectionBanner'
import { Dialogs } from './Dialogs'
import { LockedPage } from './LockedPage'
import { NarrowShell } from './NarrowShell'
import { Shell } from './Shell'
import { Toasts } from './Toasts'
import { useIsNarrow } from './useIsNarrow'

const TIP_DELAY_MS = 500

export function App() {
  const projectId = useStore(selectionStore, (selection) => selection.projectId)
  const project = useStore(projectStore, (projects) => projects.get(projectId ?? ''))
  const chosen = useStore(preferenceStore, (preferences) => preferences.locale)
  const locale = settledLocale(chosen, project?.settings.locale, navigator.languages)
  const theme = useShownTheme()
  // Before any other effect: terminals read their colours from the new theme.
  useLayoutEffect(() => {
    document.documentElement.lang = locale
    document.documentElement.dataset.theme = theme
  }, [locale, theme])
  return (
    <LocaleContext value={locale}>
      <Tooltip.Provider delayDuration={TIP_DELAY_MS}>
        <Sprite />
        <Face project={project} />
      </Tooltip.Provider>
    </LocaleContext>
  )
}

/** Locked, waiting for the first snapshot, or the page itself. */
function Face({ project }: { project: ProjectFacts | undefined }) {
  const words = useWords()
  const phase = useStore(connectionStore, (connection) => connection.phase)
  const hasState = useStore(connectionStore, (connection) => connection.hasState)
  const isNarrow = useIsNarrow()
  const needs = useNeeds(project?.id ?? null)
  useEffect(() => {
    const name = project === undefined ? 'IdeA' : `${project.name} · IdeA`
    document.title = needs.length > 0 ? `(${needs.length}) ${name}` : name
  }, [project, needs.length])
  if (phase.name === 'locked') return <LockedPage reason={phase.reason} />
  if (!hasState) {
    // Before the first answer, too: why it does not come, when it is asked for again, and a button that does.
    return (
      <main className="blank" aria-busy="true">
        {phase.name === 'lost' ? <ConnectionBanner /> : <p>{words.connection.connecting}</p>}
      </main>
    )
  }
  return (
    <>
      {isNarrow && project !== undefined ? (
        <NarrowShell key={project.id} project={project} />
      ) : (
        <Shell project={project} />
      )}
      <Dialogs project={project} />
      <Toasts />
    </>
  )
}
