import { useStore } from 'zustand'
import { useNeeds } from '../bind/useNeeds'
import { openDialog, selectionStore, showCells, showNeeds } from '../state/selection'
import { Icon } from '../ui/Icon'
import { IconButton } from '../ui/IconButton'
import { Tip } from '../ui/Tip'
import { useWords } from '../words/useWords'

interface RailProps {
  projectId: string | null
  /** There are agents, so there are places to go to. */
  hasPages: boolean
}

/** The areas of the page, at its left edge. */
export function Rail({ projectId, hasPages }: RailProps) {
  const words = useWords()
  const needs = useNeeds(projectId)
  const page = useStore(selectionStore, (selection) => selection.page)
  const hasSettings = projectId !== null
  return (
    <nav className="rail" aria-label={words.areas}>
      <IconButton
        className="logo"
        icon="mark"
        size="l"
        label={words.projects}
        aria-current={hasPages ? undefined : 'page'}
        onClick={() => openDialog({ name: 'openProject' })}
      />
      {hasPages && (
        <>
          <Tip text={words.needs.title} side="right">
            <button
              type="button"
              aria-label={words.needs.label(needs.length)}
              aria-current={page === 'needsYou' ? 'page' : undefined}
              onClick={() => showNeeds()}
            >
              <Icon name="flag" size="l" />
              {needs.length > 0 && (
                <span className="count" aria-hidden="true">
                  {needs.length}
                </span>
              )}
            </button>
          </Tip>
          <Tip text={words.cells} side="right">
            <button
              type="button"
              aria-label={words.cells}
              aria-current={page === 'cells' ? 'page' : undefined}
              onClick={showCells}
            >
              <Icon name="grid" size="l" />
            </button>
          </Tip>
        </>
      )}
      <span className="gap" />
      <IconButton
        className="plain"
        icon="help"
        size="l"
        label={words.shortcuts}
        onClick={() => openDialog({ name: 'shortcuts' })}
      />
      {hasSettings && (
        <IconButton
          className="plain"
          icon="settings"
          size="l"
          label={words.settings}
          onClick={() => openDialog({ name: 'settings' })}
        />
      )}
    </nav>
  )
}
