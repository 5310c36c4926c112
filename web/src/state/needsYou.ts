/** Everything that waits for a person, in the order in which it came. */

import type { ProjectAgent } from './agents'
import type { ProjectPermission } from './permissions'
import type { ProjectFacts } from './project'

export type Need =
  | { kind: 'permission'; id: string; sinceMs: number; agent: ProjectAgent; permission: ProjectPermission }
  | { kind: 'stalled' | 'limited'; id: string; sinceMs: number; agent: ProjectAgent }
  | { kind: 'trust'; id: string; sinceMs: null; project: ProjectFacts }

export function needsOf(
  project: ProjectFacts,
  agents: readonly ProjectAgent[],
  permissions: Iterable<ProjectPermission>,
): readonly Need[] {
  const needs: Need[] = []
  for (const permission of permissions) {
    const agent = agents.find((one) => one.id === permission.agentId)
    if (agent === undefined) continue
    needs.push({ kind: 'permission', id: permission.requestId, sinceMs: permission.askedAtMs, agent, permission })
  }
  for (const agent of agents) {
    const { state, sinceAtMs, untilAtMs } = agent.readiness
    const isLimitOpen = state === 'rateLimited' && untilAtMs === null
    if (state !== 'stalled' && !isLimitOpen) continue
    needs.push({ kind: isLimitOpen ? 'limited' : 'stalled', id: agent.id, sinceMs: sinceAtMs, agent })
  }
  needs.sort((a, b) => (a.sinceMs ?? 0) - (b.sinceMs ?? 0))
  if (!project.trust.isTrusted) needs.push({ kind: 'trust', id: project.trust.hash, sinceMs: null, project })
  return needs
}
