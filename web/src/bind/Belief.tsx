import { beliefOf } from '../state/agentFace'
import type { ProjectAgent } from '../state/agents'
import { serverNow } from '../state/connection'
import { useClock } from '../ui/useClock'
import { useWords } from '../words/useWords'
import { useIsUnknownProfile } from './useProfile'

/** Why we believe that the agent is in its state, and since when. */
export function Belief({ agent }: { agent: ProjectAgent }) {
  const words = useWords()
  const isUnknown = useIsUnknownProfile(agent.projectId, agent.profile)
  return useClock(() =>
    isUnknown && agent.session === null ? words.noProfile(agent.profile) : beliefOf(agent, words, serverNow()),
  )
}
