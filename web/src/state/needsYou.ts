/** Everything that waits for a person: requests first because they run out, then what is to be answered in a terminal or
 * is stuck, each in order of time. */

import type { ProjectAgent } from './agents'
import { type ProjectPermission, permissionKey } from './permissions'
import type { ProjectFacts } from './project'

export type Need =
  | { kind: 'permission'; id: string; sinceMs: number; agent: ProjectAgent; permission: ProjectPermission }
  | { kind: 'terminal' | 'stalled' | 'limited'; id: string; sinceMs: number; agent: ProjectAgent }
  | { kind: 'trust'; id: string; sinceMs: null; project: ProjectFacts }

export function needsOf(
  project: ProjectFacts,
  agents: readonly ProjectAgent[],
  permissions: Iterable<ProjectPermission>,
): readonly Need[] {
  const needs: Need[] = []
  for (const permission of [...permissions].sort((a, b) => a.askedAtMs - b.askedAtMs)) {
    const agent = agents.find((one) => one.id === permission.agentId)
    if (agent === undefined) continue
    needs.push({ kind: 'permission', id: permissionKey(permission), sinceMs: permission.askedAtMs, agent, permission })
  }
  const others: Need[] = []
  for (const agent of agents) {
    const kind = needAtCell(agent)
    if (kind !== null) others.push({ kind, id: agent.id, sinceMs: agent.readiness.sinceAtMs, agent })
  }
  needs.push(...others.sort((a, b) => (a.sinceMs ?? 0) - (b.sinceMs ?? 0)))
  if (!project.trust.isTrusted) needs.push({ kind: 'trust', id: project.trust.hash, sinceMs: null, project })
  return needs
}

/** It goes on only if a person goes there: it asks in its terminal, gives no sign of life, or is limited without an end. */
export function needAtCell(
  agent: Pick<ProjectAgent, 'readiness' | 'session'>,
): 'terminal' | 'stalled' | 'limited' | null {
  const { state, untilAtMs } = agent.readiness
  // What a chat asks is a request with answers of its own.
  if (state === 'waitingPermission') return agent.session?.kind === 'pty' ? 'terminal' : null
  if (state === 'stalled') return 'stalled'
  return state === 'rateLimited' && untilAtMs === null ? 'limited' : null
}
