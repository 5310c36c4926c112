import { useCallback, useMemo, useState } from 'react'
import { useStore } from 'zustand'
import { Part } from '../bind/Part'
import { FirstRun } from '../features/projects/FirstRun'
import { NoProject } from '../features/projects/NoProject'
import { agentStore } from '../state/agents'
import type { ProjectFacts } from '../state/project'
import { selectionStore, showCells } from '../state/selection'
import { useWords } from '../words/useWords'
import { Banners } from './Banners'
import { CellPlaceContext } from './cellPlace'
import { Grid } from './Grid'
import type { GridController } from './GridController'
import { gridPlace } from './gridPlace'
import { NeedsYouPage } from './NeedsYouPage'
import { ProjectContext } from './projectContext'
import { Rail } from './Rail'
import { SidePanel } from './SidePanel'
import { StatusBar } from './StatusBar'
import { useGoToNeeds } from './useGoToNeeds'
import { useKeys } from './useKeys'

/** Rail, panel, cells, status bar: the page on a wide screen. */
export function Shell({ project }: { project: ProjectFacts | undefined }) {
  const words = useWords()
  const [grid, setGrid] = useState<GridController | null>(null)
  const page = useStore(selectionStore, (selection) => selection.page)
  const hasAgents = useStore(agentStore, (agents) => [...agents.values()].some((one) => one.projectId === project?.id))
  const isFull = project === undefined || (!hasAgents && project.broken.length === 0)
  const isNeeds = page === 'needsYou' && !isFull
  const hasCells = !isFull && !isNeeds
  const place = useMemo(() => gridPlace(grid), [grid])
  const show = useCallback(
    (agentId: string) => {
      showCells()
      place.showAgent(agentId)
    },
    [place],
  )
  useKeys({ grid: hasCells ? grid : null, goToNeeds: useGoToNeeds(project?.id ?? null, show) })
  return (
    <CellPlaceContext value={place}>
      <div className={hasCells ? 'app' : 'app wide'}>
        <Rail projectId={project?.id ?? null} hasPages={!isFull} />
        {hasCells && (
          <Part>
            <SidePanel project={project} onShow={show} />
          </Part>
        )}
        <main className="main" aria-label={isNeeds ? words.needs.title : words.cells}>
          <Banners project={project} />
          {isFull ? (
            <div className="dock first-run">
              {project === undefined ? <NoProject /> : <FirstRun project={project} />}
            </div>
          ) : (
            <ProjectContext value={project.id}>
              {isNeeds && (
                <Part>
                  <NeedsYouPage projectId={project.id} onShow={show} />
                </Part>
              )}
              <div className="dock" hidden={isNeeds}>
                <Grid key={project.id} projectId={project.id} onReady={setGrid} />
              </div>
            </ProjectContext>
          )}
        </main>
        <StatusBar project={project} hasCells={hasCells} />
      </div>
    </CellPlaceContext>
  )
}
