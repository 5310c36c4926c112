import { type AgentFace, faceOf, unknownFace } from '../state/agentFace'
import type { ProjectAgent } from '../state/agents'
import { serverNow } from '../state/connection'
import { useClock } from '../ui/useClock'
import { useLocale, useWords } from '../words/useWords'
import { useIsUnknownProfile } from './useProfile'

/** How the agent's state is shown now; some of the words count time. */
export function useFace(agent: ProjectAgent): AgentFace {
  const words = useWords()
  const locale = useLocale()
  const isUnknown = useIsUnknownProfile(agent.projectId, agent.profile)
  const now = () =>
    isUnknown && agent.session === null ? unknownFace(words) : faceOf(agent, words, locale, serverNow())
  useClock(() => now().word)
  return now()
}
