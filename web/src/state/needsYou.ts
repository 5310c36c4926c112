/** Everything that waits for a person: requests first because they run out, then what is stuck, each in order of time. */

import type { ProjectAgent } from './agents'
import { type ProjectPermission, permissionKey } from './permissions'
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
  for (const permission of [...permissions].sort((a, b) => a.askedAtMs - b.askedAtMs)) {
    const agent = agents.find((one) => one.id === permission.agentId)
    if (agent === undefined) continue
    needs.push({ kind: 'permission', id: permissionKey(permission), sinceMs: permission.askedAtMs, agent, permission })
  }
  const stuck: Need[] = []
  for (const agent of agents) {
    if (!isStuck(agent)) continue
    const { state, sinceAtMs } = agent.readiness
    stuck.push({ kind: state === 'stalled' ? 'stalled' : 'limited', id: agent.id, sinceMs: sinceAtMs, agent })
  }
  needs.push(...stuck.sort((a, b) => (a.sinceMs ?? 0) - (b.sinceMs ?? 0)))
  if (!project.trust.isTrusted) needs.push({ kind: 'trust', id: project.trust.hash, sinceMs: null, project })
  return needs
}

/** It goes on only if a person does something: no sign of life, or a limit without an end. */
export function isStuck({ readiness }: Pick<ProjectAgent, 'readiness'>): boolean {
  const { state, untilAtMs } = readiness
  return state === 'stalled' || (state === 'rateLimited' && untilAtMs === null)
}
