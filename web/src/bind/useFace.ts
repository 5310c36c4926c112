import { type AgentFace, faceOf } from '../state/agentFace'
import type { ProjectAgent } from '../state/agents'
import { serverNow } from '../state/connection'
import { useClock } from '../ui/useClock'
import { useLocale, useWords } from '../words/useWords'

/** How the agent's state is shown now; some of the words count time. */
export function useFace(agent: ProjectAgent): AgentFace {
  const words = useWords()
  const locale = useLocale()
  const now = () => faceOf(agent, words, locale, serverNow())
  useClock(() => now().word)
  return now()
}
