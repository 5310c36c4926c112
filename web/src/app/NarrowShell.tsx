import { useMemo } from 'react'
import { useStore } from 'zustand'
import { useShallow } from 'zustand/react/shallow'
import { FirstRun } from '../features/projects/FirstRun'
import { agentStore } from '../state/agents'
import type { ProjectFacts } from '../state/project'
import { selectionStore } from '../state/selection'
import { Banners } from './Banners'
import { CellPlaceContext } from './cellPlace'
import { NarrowCell } from './NarrowCell'
import { NarrowList } from './NarrowList'
import { NarrowTabs } from './NarrowTabs'
import { narrowPlace } from './narrowPlace'
import { ProjectContext } from './projectContext'

/** The page on a phone: a list, or one cell. It shows the cells of the saved layout and changes none of them. */
export function NarrowShell({ project }: { project: ProjectFacts }) {
  const { narrow, agentId } = useStore(
    selectionStore,
    useShallow((selection) => ({ narrow: selection.narrow, agentId: selection.agentId })),
  )
  const first = useStore(agentStore, (all) => [...all.values()].find((one) => one.projectId === project.id)?.id)
  const place = useMemo(() => narrowPlace(project), [project])
  const shownId = agentId ?? first
  if (first === undefined) {
    return (
      <main className="narrow">
        <FirstRun project={project} />
      </main>
    )
  }
  return (
    <CellPlaceContext value={place}>
      <ProjectContext value={project.id}>
        <div className="narrow">
          <div className="narrow-banners">
            <Banners project={project} />
          </div>
          {narrow === 'cell' && shownId !== undefined ? (
            <NarrowCell key={shownId} agentId={shownId} />
          ) : (
            <NarrowList project={project} onShow={place.showAgent} />
          )}
          <NarrowTabs projectId={project.id} />
        </div>
      </ProjectContext>
    </CellPlaceContext>
  )
}
