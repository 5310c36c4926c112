import { beliefOf } from '../state/agentFace'
import type { ProjectAgent } from '../state/agents'
import { serverNow } from '../state/connection'
import { useClock } from '../ui/useClock'
import { useWords } from '../words/useWords'

/** Why we believe that the agent is in its state, and since when. */
export function Belief({ agent }: { agent: ProjectAgent }) {
  const words = useWords()
  return useClock(() => beliefOf(agent, words, serverNow()))
}
