/** What ran before: letting it go on, all or one by one, or leaving it. */

import { createStore } from 'zustand/vanilla'
import { api } from '../wire/api'
import { type Failure, failureOf } from '../wire/outcome'
import { postFailure } from './notices'
import { withApproval } from './trust'

export type ResumeState = { phase: 'pending' } | { phase: 'failed'; failure: Failure }

/** By agent id; one without an entry waits for a decision. */
export const resumeStore = createStore<ReadonlyMap<string, ResumeState>>(() => new Map())

/** True when all of them run. What stood in the way of one is kept beside it. */
export async function resumeAgents(
  projectId: string,
  agentIds: readonly string[],
  whenFailed: string,
): Promise<boolean> {
  for (const id of agentIds) put(id, { phase: 'pending' })
  const result = await withApproval(projectId, () => api.resumeAgents(projectId, [...agentIds]))
  for (const id of agentIds) clear(id)
  if (!result.ok) {
    postFailure(whenFailed, result.failure)
    return false
  }
  const failed = result.value.filter(({ error }) => error !== null)
  for (const { agentId, error } of failed) put(agentId, { phase: 'failed', failure: failureOf(error, 0) })
  return failed.length === 0
}

/** They stay stopped and are not offered again; started by hand they go on with their conversations all the same. */
export async function leaveStopped(projectId: string, whenFailed: string): Promise<void> {
  const result = await api.dismissResumable(projectId)
  if (!result.ok) postFailure(whenFailed, result.failure)
}

function put(agentId: string, state: ResumeState): void {
  resumeStore.setState((all) => new Map(all).set(agentId, state), true)
}

function clear(agentId: string): void {
  resumeStore.setState((all) => new Map([...all].filter(([id]) => id !== agentId)), true)
}
