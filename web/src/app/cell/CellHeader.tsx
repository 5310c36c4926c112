import { useEffect } from 'react'
import { useStore } from 'zustand'
import { Belief } from '../../bind/Belief'
import { useFace } from '../../bind/useFace'
import { useProfile } from '../../bind/useProfile'
import { PreviewFrame } from '../../features/delegations/PreviewFrame'
import type { ProjectAgent } from '../../state/agents'
import { launchStore } from '../../state/launch'
import { Reveal } from '../../ui/Reveal'
import type { View } from '../../wire/shapes'
import { useWords } from '../../words/useWords'
import { useCellPlace } from '../cellPlace'
import { AgentPicker } from './AgentPicker'
import { takeView } from './chooseAgent'
import { useCellAgent } from './useCellAgent'

interface CellHeaderProps {
  nodeId: string
  projectId: string
  /** Several tabs share the cell: the name stands in the tab. */
  isTabbed: boolean
  /** The element around header and body; it carries the agent's name for tests. */
  frame?: HTMLElement
}

/** Drop-list, Chat / TUI, state, and what the agents it asked are saying. */
export function CellHeader({ nodeId, projectId, isTabbed, frame }: CellHeaderProps) {
  const { agent, view } = useCellAgent(nodeId)
  const place = useCellPlace()
  const slug = agent?.slug
  useEffect(() => {
    if (frame !== undefined) frame.dataset.testid = slug === undefined ? 'cell-empty' : `cell-${slug}`
  }, [frame, slug])
  return (
    <div className="cell-head-main">
      <AgentPicker nodeId={nodeId} projectId={projectId} agent={agent} isBare={isTabbed} />
      {agent !== undefined && (
        <>
          <ViewToggle nodeId={nodeId} agent={agent} view={view} />
          <StateWord agent={agent} />
          <PreviewFrame agentId={agent.id} onShow={(target) => place.showAgent(target)} />
        </>
      )}
    </div>
  )
}

export function ViewToggle({ nodeId, agent, view }: { nodeId: string; agent: ProjectAgent; view: View }) {
  const words = useWords()
  const profile = useProfile(agent.projectId, agent.profile)
  const isPending = useStore(launchStore, (all) => all.get(nodeId)?.phase === 'pending')
  if (profile === undefined || !profile.canChat || !profile.canTerminal) return null
  const toggle = (to: View, label: string) => (
    <button
      type="button"
      aria-pressed={view === to}
      aria-disabled={isPending}
      onClick={() => !isPending && void takeView(nodeId, agent, to)}
    >
      {label}
    </button>
  )
  return (
    <span className="seg" role="group" aria-label={words.cell.view} aria-busy={isPending}>
      {toggle('chat', words.cell.chat)}
      {toggle('terminal', words.cell.tui)}
    </span>
  )
}

export function StateWord({ agent }: { agent: ProjectAgent }) {
  const face = useFace(agent)
  const isBadge = face.tone === 'limited' || face.tone === 'needs-you' || face.tone === 'stalled'
  return (
    <Reveal text={<Belief agent={agent} />} className={`${isBadge ? 'badge' : 'state'} is-${face.tone}`} testId="state">
      {face.word}
    </Reveal>
  )
}
