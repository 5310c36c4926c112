import '@xterm/xterm/css/xterm.css'
import { useEffect, useRef } from 'react'
import { loadCredential } from '../wire/credential'
import type { TerminalPhase } from '../wire/terminalLink'
import type { Fit } from './Fitting'
import { TerminalController } from './TerminalController'
import type { Zoom } from './TerminalHands'
import { terminalFonts } from './terminalFonts'

interface TerminalViewProps {
  projectId: string
  agentId: string
  label: string
  /** Another value repaints with the page's present colours. */
  theme: string
  /** In pixels. */
  fontSize: number
  /** Asked for just now: it takes the keyboard, unless that is in use elsewhere. */
  isAwaited: boolean
  onPhase: (phase: TerminalPhase) => void
  onFit: (fit: Fit) => void
  onZoom: (zoom: Zoom) => void
  /** What was made here, null once it is gone. */
  onMade: (controller: TerminalController | null) => void
}

/** A window on a terminal that lives as long as this is mounted. */
export function TerminalView({ projectId, agentId, label, theme, fontSize, isAwaited, ...on }: TerminalViewProps) {
  const { onPhase, onFit, onZoom, onMade } = on
  const latest = useRef({ isAwaited, fontSize })
  latest.current = { isAwaited, fontSize }
  const element = useRef<HTMLDivElement>(null)
  const controller = useRef<TerminalController | null>(null)
  useEffect(() => {
    const credential = loadCredential()
    const host = element.current
    if (host === null || credential === null) return
    let made: TerminalController | null = null
    let isGone = false
    void terminalFonts().finally(() => {
      if (isGone) return
      const { fontSize } = latest.current
      made = new TerminalController({
        element: host,
        projectId,
        agentId,
        credential,
        label,
        fontSize,
        onPhase,
        onFit,
        onZoom,
      })
      controller.current = made
      onMade(made)
      if (latest.current.isAwaited && document.activeElement === document.body) made.focus()
    })
    return () => {
      isGone = true
      controller.current = null
      onMade(null)
      made?.close()
    }
  }, [projectId, agentId, label, onPhase, onFit, onZoom, onMade])
  // biome-ignore lint/correctness/useExhaustiveDependencies: repaints when the theme changed.
  useEffect(() => controller.current?.paint(), [theme])
  useEffect(() => controller.current?.setFontSize(fontSize), [fontSize])
  return <div className="term-host" ref={element} />
}
