import { useStore } from 'zustand'
import { FailureNotice } from '../../bind/FailureNotice'
import type { ProjectAgent } from '../../state/agents'
import { cellStore } from '../../state/cells'
import { clearLaunch, launchAgent, launchStore } from '../../state/launch'
import { Notice } from '../../ui/Notice'
import { useWords } from '../../words/useWords'
import { useCellPlace } from '../cellPlace'

/** What stood in the way of starting the agent here, and the ways on. */
export function LaunchNotice({ nodeId, agent }: { nodeId: string; agent: ProjectAgent }) {
  const words = useWords()
  const place = useCellPlace()
  const state = useStore(launchStore, (all) => all.get(nodeId))
  const other = state?.phase === 'elsewhere' ? state.nodeId : null
  // Another layout's cell cannot be gone to.
  const canGo = useStore(cellStore, ({ byNode }) => other !== null && byNode.has(other))
  if (state === undefined || state.agentId !== agent.id || state.phase === 'pending') return null
  if (state.phase === 'failed') {
    // Its readiness says so, also to whoever did not start it, with the ways on.
    if (state.failure.code === 'CONVERSATION_REFUSED') return null
    return (
      <FailureNotice
        title={words.launch[state.what === 'switch' ? 'notSwitched' : 'failed'](agent.name)}
        failure={state.failure}
        actions={
          <button type="button" className="btn s quiet" onClick={() => clearLaunch(nodeId)}>
            {words.dismiss}
          </button>
        }
      />
    )
  }
  const { view } = state
  const move = () => void launchAgent({ agentId: agent.id, nodeId, view, isReattach: true })
  return (
    <Notice
      tone="stalled"
      icon="open"
      role="alert"
      title={other === null ? words.launch.background(agent.name) : words.launch.elsewhere(agent.name)}
    >
      <p>{words.launch.elsewhereDetail}</p>
      <p className="acts">
        {other !== null && canGo && (
          <button type="button" className="btn s" onClick={() => place.focus(other)}>
            {words.cell.goTo}
          </button>
        )}
        <button type="button" className="btn s" onClick={move}>
          {words.cell.moveHere}
        </button>
      </p>
    </Notice>
  )
}
