import { useEffect, useState } from 'react'
import { useStore } from 'zustand'
import { Part } from '../bind/Part'
import { FirstRun } from '../features/projects/FirstRun'
import { agentStore } from '../state/agents'
import { cellStore, chosenAgent } from '../state/cells'
import type { ProjectFacts } from '../state/project'
import { selectionStore } from '../state/selection'
import { Banners } from './Banners'
import { CellPlaceContext } from './cellPlace'
import { NarrowCell } from './NarrowCell'
import { NarrowList } from './NarrowList'
import { NarrowPlace } from './NarrowPlace'
import { NarrowTabs } from './NarrowTabs'
import { ProjectContext } from './projectContext'

/** The page on a phone: a list, or one cell. It shows the cells of the saved layout and changes none of them. */
export function NarrowShell({ project }: { project: ProjectFacts }) {
  const narrow = useStore(selectionStore, (selection) => selection.narrow)
  const first = useStore(agentStore, (all) => [...all.values()].find((one) => one.projectId === project.id)?.id)
  const chosen = useStore(cellStore, chosenAgent)
  const isThere = useStore(agentStore, (all) => all.has(chosen ?? ''))
  const [place, setPlace] = useState<NarrowPlace | null>(null)
  // After the grid has saved what is its own: the cells are this page's from here on.
  useEffect(() => {
    const made = new NarrowPlace(project.id)
    setPlace(made)
    return () => made.dispose()
  }, [project.id])
  if (first === undefined) {
    return (
      <main className="narrow">
        <FirstRun project={project} />
      </main>
    )
  }
  if (place === null) return null
  const shownId = isThere && chosen !== null ? chosen : first
  return (
    <CellPlaceContext value={place}>
      <ProjectContext value={project.id}>
        <div className="narrow">
          <div className="narrow-banners">
            <Banners project={project} />
          </div>
          {narrow === 'cell' ? (
            <NarrowCell key={shownId} agentId={shownId} />
          ) : (
            <Part>
              <NarrowList project={project} onShow={(agentId) => place.showAgent(agentId)} />
            </Part>
          )}
          <NarrowTabs projectId={project.id} />
        </div>
      </ProjectContext>
    </CellPlaceContext>
  )
}
