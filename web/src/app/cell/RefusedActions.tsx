import { useStore } from 'zustand'
import type { ProjectAgent } from '../../state/agents'
import { launchAgent, launchStore } from '../../state/launch'
import type { Opening, View } from '../../wire/shapes'
import type { Words } from '../../words/en'
import { useWords } from '../../words/useWords'

interface RefusedActionsProps {
  nodeId: string
  agent: ProjectAgent
  view: View
  onStart?: () => void
}

/** The ways on after a refused conversation: anew, told or empty, or the same once more. */
export function RefusedActions({ nodeId, agent, view, onStart }: RefusedActionsProps) {
  const words = useWords()
  const isPending = useStore(launchStore, (all) => all.get(nodeId)?.phase === 'pending')
  const start = (opening: Opening) => {
    onStart?.()
    void launchAgent({ agentId: agent.id, nodeId, view, opening })
  }
  return (
    <>
      <button type="button" className="btn s primary" disabled={isPending} onClick={() => start('primed')}>
        {words.refused.primed}
      </button>
      <button type="button" className="btn s" disabled={isPending} onClick={() => start('empty')}>
        {words.refused.empty}
      </button>
      <button type="button" className="btn s quiet" disabled={isPending} onClick={() => start('resume')}>
        {words.refused.again}
      </button>
    </>
  )
}

/** Why its conversation does not go on; null where nothing was refused. */
export function refusalText({ session, readiness }: ProjectAgent, words: Words): string | null {
  if (session !== null) return null
  if (readiness.reason === 'otherConversation') return words.refused.other
  return readiness.reason === 'conversationRefused' ? words.refused.said(readiness.detail) : null
}
