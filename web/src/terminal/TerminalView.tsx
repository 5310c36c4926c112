import '@xterm/xterm/css/xterm.css'
import { useEffect, useRef } from 'react'
import { loadCredential } from '../wire/credential'
import type { TerminalPhase } from '../wire/terminalLink'
import { TerminalController } from './TerminalController'
import { terminalFonts } from './terminalFonts'

interface TerminalViewProps {
  projectId: string
  agentId: string
  label: string
  /** Another value repaints with the page's present colours. */
  theme: string
  /** Asked for just now: it takes the keyboard, unless that is in use elsewhere. */
  isAwaited: boolean
  onPhase: (phase: TerminalPhase) => void
  onCut: (isCut: boolean) => void
}

/** A window on a terminal that lives as long as this is mounted. */
export function TerminalView({ projectId, agentId, label, theme, isAwaited, onPhase, onCut }: TerminalViewProps) {
  const awaited = useRef(isAwaited)
  awaited.current = isAwaited
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
      made = new TerminalController({ element: host, projectId, agentId, credential, label, onPhase, onCut })
      controller.current = made
      if (awaited.current && document.activeElement === document.body) made.focus()
    })
    return () => {
      isGone = true
      controller.current = null
      made?.close()
    }
  }, [projectId, agentId, label, onPhase, onCut])
  // biome-ignore lint/correctness/useExhaustiveDependencies: repaints when the theme changed.
  useEffect(() => controller.current?.paint(), [theme])
  return <div className="term-host" ref={element} />
}
