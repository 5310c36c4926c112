/** What goes with agents that are stopped, and cannot be had back. */

import type { Words } from '../words/en'
import type { ProjectAgent } from './agents'

type Ended = Pick<ProjectAgent, 'session' | 'sideSession' | 'liveTurn' | 'readiness' | 'queueLength'>

/** The turns that are broken off and the messages that wait in vain; empty where there are none. */
export function endingText(agents: Iterable<Ended>, words: Words): string {
  const ended = [...agents]
  const turns = ended.filter(isInTurn).length
  const waiting = ended.reduce((sum, agent) => sum + agent.queueLength, 0)
  return [turns > 0 && words.ending.turns(turns), waiting > 0 && words.ending.waiting(waiting)]
    .filter(Boolean)
    .join(', ')
}

/** The same, of a whole project: first how many of its agents stop. */
export function closingText(agents: readonly Ended[], words: Words): string {
  const running = agents.filter((agent) => agent.session !== null || agent.sideSession !== null).length
  return [words.ending.agents(running), endingText(agents, words)].filter(Boolean).join(', ')
}

/** In a terminal a turn is believed, by what it shows. */
function isInTurn({ liveTurn, session, readiness }: Ended): boolean {
  return liveTurn !== null || (session?.kind === 'pty' && readiness.state === 'working')
}
