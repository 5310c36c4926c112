/** What a person does to turns: send, stop, take out of the queue. Failures that have no place of their own become notices. */

import { api } from '../wire/api'
import type { Outcome } from '../wire/outcome'
import { agentStore } from './agents'
import { postFailure } from './notices'

export async function cancelTurn(agentId: string, turnId: string, whenFailed: string): Promise<void> {
  const agent = agentStore.getState().get(agentId)
  if (agent === undefined) return
  const result = await api.cancel({ project: agent.projectId, agent: agentId }, turnId)
  if (!result.ok) postFailure(whenFailed, result.failure)
}

export async function interruptTurn(agentId: string, turnId: string, whenFailed: string): Promise<void> {
  const agent = agentStore.getState().get(agentId)
  if (agent === undefined) return
  const result = await api.interrupt({ project: agent.projectId, agent: agentId }, turnId)
  if (!result.ok) postFailure(whenFailed, result.failure)
}

export async function sendMessage(agentId: string, text: string): Promise<Outcome<unknown>> {
  const agent = agentStore.getState().get(agentId)
  if (agent === undefined) return { ok: true, value: undefined }
  return api.sendMessage({ project: agent.projectId, agent: agentId }, text)
}
