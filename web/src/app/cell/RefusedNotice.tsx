import { useStore } from 'zustand'
import type { ProjectAgent } from '../../state/agents'
import { launchAgent, launchStore } from '../../state/launch'
import { Notice } from '../../ui/Notice'
import type { Opening, View } from '../../wire/shapes'
import { useWords } from '../../words/useWords'

interface RefusedNoticeProps {
  nodeId: string
  agent: ProjectAgent
  view: View
  onStart?: () => void
}

/** Its CLI does not go on with the agent's conversation: why, and the ways to begin anew. */
export function RefusedNotice({ nodeId, agent, view, onStart }: RefusedNoticeProps) {
  const words = useWords()
  const isPending = useStore(launchStore, (all) => all.get(nodeId)?.phase === 'pending')
  const { reason, detail } = agent.readiness
  if (agent.session !== null || (reason !== 'conversationRefused' && reason !== 'otherConversation')) return null
  const start = (opening: Opening) => {
    onStart?.()
    void launchAgent({ agentId: agent.id, nodeId, view, opening })
  }
  return (
    <Notice tone="danger" icon="x" role="alert" title={words.refused.title(agent.name)}>
      <p>{reason === 'otherConversation' ? words.refused.other : words.refused.said(detail)}</p>
      <p className="acts">
        <button type="button" className="btn s primary" disabled={isPending} onClick={() => start('primed')}>
          {words.refused.primed}
        </button>
        <button type="button" className="btn s" disabled={isPending} onClick={() => start('empty')}>
          {words.refused.empty}
        </button>
        <button type="button" className="btn s quiet" disabled={isPending} onClick={() => start('resume')}>
          {words.refused.again}
        </button>
      </p>
    </Notice>
  )
}
