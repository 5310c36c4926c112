/** Who waits for a person without being asked anything: an agent whose ask has led, perhaps by others, to one that is. */

import type { Agents, ProjectAgent } from './agents'
import type { Delegations, ProjectDelegation } from './delegations'
import { needAtCell } from './needsYou'
import type { Permissions } from './permissions'

export interface Known {
  agents: Agents
  delegations: Delegations
  permissions: Permissions
}

/** The agent at the end of this ask that goes on only if a person answers; null while none needs that. */
export function blockerOf(ask: ProjectDelegation, known: Known): ProjectAgent | null {
  return ask.state === 'running' ? findBlocker(ask.targetId, known, new Set([ask.requester.id])) : null
}

/** The same for whatever this agent waits for. */
export function blockerFor(agentId: string, known: Known): ProjectAgent | null {
  return blockerBehind(agentId, known, new Set([agentId]))
}

function findBlocker(agentId: string, known: Known, seen: Set<string>): ProjectAgent | null {
  // No agent waits for itself, but two events of one change may show it so for a moment.
  if (seen.has(agentId)) return null
  seen.add(agentId)
  const agent = known.agents.get(agentId)
  if (agent !== undefined && needsPerson(agent, known.permissions)) return agent
  return blockerBehind(agentId, known, seen)
}

function blockerBehind(agentId: string, known: Known, seen: Set<string>): ProjectAgent | null {
  for (const ask of known.delegations.values()) {
    if (ask.requester.id !== agentId || ask.state !== 'running') continue
    const found = findBlocker(ask.targetId, known, seen)
    if (found !== null) return found
  }
  return null
}

function needsPerson(agent: ProjectAgent, permissions: Permissions): boolean {
  if (agent.readiness.state === 'waitingPermission' || needAtCell(agent) !== null) return true
  // Also one that a session beside its terminal asks: the terminal's own state says nothing of it.
  return [...permissions.values()].some((one) => one.agentId === agent.id)
}
