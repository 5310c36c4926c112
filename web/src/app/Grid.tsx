import 'dockview-react/dist/styles/dockview.css'
import {
  DockviewReact,
  type DockviewReadyEvent,
  type DockviewTheme,
  type IDockviewHeaderActionsProps,
  type IDockviewPanelHeaderProps,
  type IDockviewPanelProps,
} from 'dockview-react'
import { useEffect, useRef, useState } from 'react'
import { useStore } from 'zustand'
import { selectionStore } from '../state/selection'
import { useWords } from '../words/useWords'
import { CellBody } from './cell/CellBody'
import { CellEnd } from './cell/CellEnd'
import { CellHeader } from './cell/CellHeader'
import { CellTab } from './cell/CellTab'
import { useCellTitle } from './cell/useCellTitle'
import { GridController } from './GridController'
import { NoCells } from './NoCells'
import { useProjectId } from './projectContext'

const THEME: DockviewTheme = { name: 'idea', className: 'dockview-idea', gap: 0 }
const PANELS = { cell: Panel }

interface GridProps {
  projectId: string
  onReady: (grid: GridController | null) => void
}

/** The cells of a project. Mount it anew for another project. */
export function Grid({ projectId, onReady }: GridProps) {
  const words = useWords()
  const latest = useRef(words)
  latest.current = words
  const [controller, setController] = useState<GridController | null>(null)
  useEffect(() => {
    onReady(controller)
    return () => {
      onReady(null)
      controller?.close()
    }
  }, [controller, onReady])
  const ready = ({ api }: DockviewReadyEvent) => setController(new GridController(api, projectId, () => latest.current))
  return (
    <DockviewReact
      theme={THEME}
      components={PANELS}
      defaultTabComponent={Tab}
      leftHeaderActionsComponent={Head}
      rightHeaderActionsComponent={End}
      watermarkComponent={NoCells}
      disableFloatingGroups
      // In English, of every cell, and the focus tells the same: what is spoken unasked are answers and requests.
      announcements={false}
      onReady={ready}
    />
  )
}

function Panel({ api }: IDockviewPanelProps) {
  const [isVisible, setIsVisible] = useState(api.isVisible)
  useEffect(() => {
    const watching = api.onDidVisibilityChange((change) => setIsVisible(change.isVisible))
    return () => watching.dispose()
  }, [api])
  const title = useCellTitle(api.id)
  useEffect(() => api.setTitle(title), [api, title])
  // Another page lies over the grid, which stays as it is below.
  const isPage = useStore(selectionStore, ({ page }) => page === 'cells')
  return <CellBody nodeId={api.id} projectId={useProjectId()} isVisible={isVisible && isPage} />
}

function Tab({ api }: IDockviewPanelHeaderProps) {
  return <CellTab nodeId={api.id} />
}

function Head({ activePanel, panels, group }: IDockviewHeaderActionsProps) {
  const isTabbed = panels.length > 1
  useEffect(() => {
    group.element.dataset.tabbed = String(isTabbed)
  }, [group, isTabbed])
  useEffect(() => {
    // Left to itself the grid takes only a click into the body for a turn to that cell.
    const head = group.element.querySelector('.dv-tabs-and-actions-container')
    const turnTo = () => group.activePanel?.api.setActive()
    head?.addEventListener('pointerdown', turnTo)
    return () => head?.removeEventListener('pointerdown', turnTo)
  }, [group])
  useShownTab(group.element, activePanel?.id)
  const projectId = useProjectId()
  if (activePanel === undefined) return null
  return <CellHeader nodeId={activePanel.id} projectId={projectId} isTabbed={isTabbed} frame={group.element} />
}

/** Keeps the tab of the cell in view whole, whatever stands beside the tabs and however long its name becomes. */
function useShownTab(frame: HTMLElement, shownId: string | undefined): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: another cell has another tab.
  useEffect(() => {
    const tab = frame.querySelector('.dv-active-tab')
    const strip = frame.querySelector('.dv-scrollable')
    if (tab === null || strip === null) return
    const observer = new ResizeObserver(() => tab.scrollIntoView({ block: 'nearest', inline: 'nearest' }))
    observer.observe(tab)
    observer.observe(strip)
    return () => observer.disconnect()
  }, [frame, shownId])
}

function End({ activePanel, api, containerApi }: IDockviewHeaderActionsProps) {
  const [isMaximised, setIsMaximised] = useState(api.isMaximized())
  useEffect(() => {
    const watching = containerApi.onDidMaximizedGroupChange(() => setIsMaximised(api.isMaximized()))
    return () => watching.dispose()
  }, [api, containerApi])
  return activePanel === undefined ? null : <CellEnd nodeId={activePanel.id} isMaximised={isMaximised} />
}
