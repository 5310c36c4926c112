/** What is known of each open project besides its agents and their work. */

import { createStore } from 'zustand/vanilla'
import type {
  BrokenAgent,
  Layout,
  Layouts,
  Project,
  Resumable,
  ServerEvent,
  Settings,
  Snapshot,
  Trust,
} from '../wire/shapes'

export interface ProjectFacts {
  id: string
  path: string
  name: string
  isDemo: boolean
  agentsOutliveServer: boolean
  trust: Trust
  settings: Settings
  layout: Layout
  /** The client that saved this layout; empty when it came with a snapshot. */
  layoutOrigin: string
  layouts: Layouts
  /** What ran when the project was closed or its keeper died, and may go on. */
  resumable: readonly Resumable[]
  broken: readonly BrokenAgent[]
}

export type Projects = ReadonlyMap<string, ProjectFacts>

export const projectStore = createStore<Projects>(() => new Map())

export function projectsOf(snapshot: Snapshot): Projects {
  return new Map(snapshot.projects.map((project) => [project.id, factsOf(project)]))
}

/** Whether all that is shown goes on without the server; not where nothing is open. */
export function doAllOutliveServer(projects: Projects): boolean {
  return projects.size > 0 && [...projects.values()].every((project) => project.agentsOutliveServer)
}

export function applyToProjects(projects: Projects, event: ServerEvent): Projects {
  if (event.type === 'projectOpened') return replacing(projects, factsOf(event.project))
  if (event.type === 'projectClosed') {
    const next = new Map(projects)
    next.delete(event.projectId)
    return next
  }
  const known = projects.get(event.projectId)
  if (known === undefined) return projects
  switch (event.type) {
    case 'trustChanged':
      return replacing(projects, { ...known, trust: event.trust })
    case 'settingsChanged':
      return replacing(projects, { ...known, settings: event.settings })
    case 'layoutChanged':
      return replacing(projects, { ...known, layout: event.layout, layoutOrigin: event.origin })
    case 'layoutsChanged':
      return replacing(projects, {
        ...known,
        layouts: event.layouts,
        layout: event.layout,
        // Where no grid changes by it, who saved last is still who saved last.
        layoutOrigin: event.origin === '' ? known.layoutOrigin : event.origin,
      })
    case 'resumableChanged':
      return replacing(projects, { ...known, resumable: event.resumable })
    case 'agentFilesBroken':
      return replacing(projects, { ...known, broken: event.broken })
    default:
      return projects
  }
}

function replacing(projects: Projects, facts: ProjectFacts): Projects {
  return new Map(projects).set(facts.id, facts)
}

function factsOf(project: Project): ProjectFacts {
  const { id, path, name, isDemo, agentsOutliveServer, trust, settings, layout, layouts, resumable, broken } = project
  const others = { layouts, resumable, broken }
  return { id, path, name, isDemo, agentsOutliveServer, trust, settings, layout, layoutOrigin: '', ...others }
}
