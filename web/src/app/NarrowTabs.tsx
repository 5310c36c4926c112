import { useStore } from 'zustand'
import { useNeeds } from '../bind/useNeeds'
import { openDialog, selectionStore, showCells, showList } from '../state/selection'
import { Icon } from '../ui/Icon'
import { useWords } from '../words/useWords'

/** The areas of the page, along the bottom of a phone. */
export function NarrowTabs({ projectId }: { projectId: string }) {
  const words = useWords()
  const narrow = useStore(selectionStore, (selection) => selection.narrow)
  const needs = useNeeds(projectId)
  return (
    <nav className="tabs" aria-label={words.areas}>
      <button type="button" aria-current={narrow === 'list' ? 'page' : undefined} onClick={showList}>
        <Icon name="flag" size="l" />
        {needs.length > 0 && <span className="count">{needs.length}</span>}
        {words.needs.title}
      </button>
      <button type="button" aria-current={narrow === 'cell' ? 'page' : undefined} onClick={showCells}>
        <Icon name="grid" size="l" />
        {words.cells}
      </button>
      <button type="button" onClick={() => openDialog({ name: 'settings' })}>
        <Icon name="settings" size="l" />
        {words.settings}
      </button>
    </nav>
  )
}
