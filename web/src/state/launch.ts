/** Starting, stopping and attaching agents, with what stands in the way kept beside the cell it concerns. */

import { createStore } from 'zustand/vanilla'
import { api } from '../wire/api'
import type { Failure } from '../wire/outcome'
import type { Opening, View } from '../wire/shapes'
import { agentStore } from './agents'
import { withApproval } from './trust'

export type LaunchState =
  | { phase: 'pending'; agentId: string }
  | { phase: 'failed'; what: 'start' | 'switch'; agentId: string; failure: Failure }
  | { phase: 'elsewhere'; agentId: string; nodeId: string | null; view: View }

/** By node id; a cell without an entry has nothing to say. */
export const launchStore = createStore<ReadonlyMap<string, LaunchState>>(() => new Map())

interface LaunchRequest {
  agentId: string
  nodeId: string
  view: View
  isReattach?: boolean
  opening?: Opening
}

/** True when the agent runs and belongs to the cell afterwards. */
export async function launchAgent(request: LaunchRequest): Promise<boolean> {
  const { agentId, nodeId, view, isReattach = false, opening = 'resume' } = request
  const agent = agentStore.getState().get(agentId)
  if (agent === undefined) return false
  put(nodeId, { phase: 'pending', agentId })
  const { projectId: project } = agent
  const body = { nodeId, view, isReattach, opening }
  const result = await withApproval(project, () => api.launch({ project, agent: agentId }, body))
  if (result.ok) {
    clearLaunch(nodeId)
    return true
  }
  const { failure } = result
  if (failure.code === 'AGENT_ALREADY_RUNNING') {
    const where = failure.fields.nodeId
    put(nodeId, { phase: 'elsewhere', agentId, nodeId: typeof where === 'string' ? where : null, view })
    return false
  }
  put(nodeId, { phase: 'failed', what: 'start', agentId, failure })
  return false
}

/** The conversation of a running agent goes on in the other view; true when it does, in this cell. */
export async function switchView(agentId: string, nodeId: string, view: View): Promise<boolean> {
  const agent = agentStore.getState().get(agentId)
  if (agent === undefined) return false
  put(nodeId, { phase: 'pending', agentId })
  const { projectId: project } = agent
  const result = await withApproval(project, () => api.switchView({ project, agent: agentId }, { nodeId, view }))
  if (result.ok) clearLaunch(nodeId)
  else put(nodeId, { phase: 'failed', what: 'switch', agentId, failure: result.failure })
  return result.ok
}

export type StopResult = { ok: true; survivors: number } | { ok: false; failure: Failure }

export async function stopAgent(agentId: string): Promise<StopResult> {
  const agent = agentStore.getState().get(agentId)
  if (agent === undefined) return { ok: true, survivors: 0 }
  const result = await api.stop({ project: agent.projectId, agent: agentId })
  return result.ok ? { ok: true, survivors: result.value.survivors.length } : result
}

export function clearLaunch(nodeId: string): void {
  launchStore.setState((all) => new Map([...all].filter(([id]) => id !== nodeId)), true)
}

function put(nodeId: string, state: LaunchState): void {
  launchStore.setState((all) => new Map(all).set(nodeId, state), true)
}
