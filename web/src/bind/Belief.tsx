import { beliefOf } from '../state/agentFace'
import type { ProjectAgent } from '../state/agents'
import { blockerFor } from '../state/blocker'
import { serverNow } from '../state/connection'
import { Sentence } from '../ui/Sentence'
import { useClock } from '../ui/useClock'
import { useWords } from '../words/useWords'
import { useBlocker } from './useBlocker'
import { useIsUnknownProfile, useProfile } from './useProfile'

/** Why we believe that the agent is in its state, and since when. */
export function Belief({ agent }: { agent: ProjectAgent }) {
  const words = useWords()
  const isUnknown = useIsUnknownProfile(agent.projectId, agent.profile)
  const profile = useProfile(agent.projectId, agent.profile)
  const blocker = useBlocker((known) => blockerFor(agent.id, known))
  const text = useClock(() => {
    if (isUnknown && agent.session === null) return words.noProfile(agent.profile)
    if (blocker !== null && agent.readiness.state === 'working') return words.waitsForOne(blocker)
    // Nobody writes to a shell before it runs.
    if (profile?.canChat === false && agent.readiness.reason === 'neverLaunched') return words.startsInTerminal
    return beliefOf(agent, words, serverNow())
  })
  return <Sentence text={text} />
}
