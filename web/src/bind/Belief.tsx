import { beliefOf } from '../state/agentFace'
import type { ProjectAgent } from '../state/agents'
import { blockerFor } from '../state/blocker'
import { serverNow } from '../state/connection'
import { useClock } from '../ui/useClock'
import { useWords } from '../words/useWords'
import { useBlocker } from './useBlocker'
import { useIsUnknownProfile } from './useProfile'

/** Why we believe that the agent is in its state, and since when. */
export function Belief({ agent }: { agent: ProjectAgent }) {
  const words = useWords()
  const isUnknown = useIsUnknownProfile(agent.projectId, agent.profile)
  const blocker = useBlocker((known) => blockerFor(agent.id, known))
  return useClock(() => {
    if (isUnknown && agent.session === null) return words.noProfile(agent.profile)
    if (blocker !== null && agent.readiness.state === 'working') return words.waitsForOne(blocker)
    return beliefOf(agent, words, serverNow())
  })
}
