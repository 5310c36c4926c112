/** What the person looks at: the project, the agent chosen in lists, the open dialog. */

import { createStore } from 'zustand/vanilla'
import { keepForTab, keptForTab } from '../lib/tabStorage'
import type { AgentFields, View } from '../wire/shapes'

export type Dialog =
  | { name: 'newAgent'; draft: Partial<AgentFields> }
  | { name: 'editAgent'; agentId: string }
  | { name: 'earlier'; agentId: string; nodeId: string; view: View }
  | { name: 'trust' }
  | { name: 'settings' }
  | { name: 'shortcuts' }
  | { name: 'openProject' }
  | { name: 'resume' }
  | { name: 'saveLayoutAs' }
  | { name: 'renameLayout'; layout: string }
  | { name: 'deleteLayout'; layout: string }

export type Page = 'cells' | 'needsYou'

export interface Selection {
  projectId: string | null
  page: Page
  /** What the page of needs begins with; null: with the first. */
  needId: string | null
  dialog: Dialog | null
  /** The open menu, of those that a key opens. */
  menu: 'layouts' | null
  /** Narrow screens show one thing at a time. */
  narrow: 'list' | 'cell'
}

export const selectionStore = createStore<Selection>(() => ({
  projectId: null,
  page: 'cells',
  needId: null,
  dialog: null,
  menu: null,
  narrow: 'list',
}))

export function openDialog(dialog: Dialog): void {
  selectionStore.setState({ dialog })
}

/** A wide page shows the grid, a narrow one the cell in use. */
export function showCells(): void {
  selectionStore.setState({ page: 'cells', narrow: 'cell' })
}

/** Everything that waits for the person; a narrow page has it above its list. */
export function showNeeds(needId: string | null = null): void {
  selectionStore.setState({ page: 'needsYou', narrow: 'list', needId })
}

export function showList(): void {
  selectionStore.setState({ narrow: 'list' })
}

export function closeDialog(): void {
  selectionStore.setState({ dialog: null })
}

/** Of the project that was in use; the page's own stay. */
export function closeDialogOfProject(): void {
  const { dialog } = selectionStore.getState()
  if (dialog !== null && dialog.name !== 'openProject' && dialog.name !== 'shortcuts') closeDialog()
}

export function openMenu(menu: Selection['menu']): void {
  selectionStore.setState({ menu })
}

const LAST_PROJECT = 'idea.project'

export function chooseProject(projectId: string | null): void {
  if (projectId === null) localStorage.removeItem(LAST_PROJECT)
  else localStorage.setItem(LAST_PROJECT, projectId)
  selectionStore.setState({ projectId })
}

/** The project in use if it is still open, else the one used last, else the first. */
export function settledProject(current: string | null, open: readonly string[]): string | null {
  const wished = [current, localStorage.getItem(LAST_PROJECT)]
  return wished.find((id) => id !== null && open.includes(id)) ?? open[0] ?? null
}

// --- over a reload -------------------------------------------------------------------------------------------------

const LAST_PAGE = 'idea.page'

/** Brings back what this tab showed; from then on it is not lost with the page. */
export function keepPage(): void {
  const kept = keptForTab(LAST_PAGE)
  if (kept === 'needsYou') showNeeds()
  if (kept === 'cell') showCells()
  selectionStore.subscribe(({ page, narrow }) => {
    keepForTab(LAST_PAGE, page === 'needsYou' ? page : narrow)
  })
}
