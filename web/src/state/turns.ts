/** What a person does to turns: send, stop, take out of the queue. Failures that have no place of their own become notices. */

import { api } from '../wire/api'
import { GONE, type Outcome } from '../wire/outcome'
import type { QueuedTurn } from '../wire/shapes'
import { agentStore } from './agents'
import { postFailure } from './notices'
import { withApproval } from './trust'

/** Out of the queue; the message that waited there, or null if it was not taken out. */
export async function cancelTurn(agentId: string, turnId: string, whenFailed: string): Promise<string | null> {
  const agent = agentStore.getState().get(agentId)
  if (agent === undefined) return null
  const result = await api.cancel({ project: agent.projectId, agent: agentId }, turnId)
  if (result.ok) return result.value.message
  postFailure(whenFailed, result.failure)
  return null
}

export interface Message {
  /** Its own for ever: what is sent again under it is not done twice. */
  id: string
  text: string
}

const PAGE_TURNS = 500

/** The `count` turns that wait behind position `after`, or as many as there are. */
export async function listQueue(agentId: string, after: number, count: number): Promise<Outcome<QueuedTurn[]>> {
  const agent = agentStore.getState().get(agentId)
  const turns: QueuedTurn[] = []
  while (agent !== undefined && turns.length < count) {
    const limit = Math.min(PAGE_TURNS, count - turns.length)
    const page = await api.queue({ project: agent.projectId, agent: agentId }, { after: after + turns.length, limit })
    if (!page.ok) return page
    turns.push(...page.value)
    if (page.value.length < limit) break
  }
  return { ok: true, value: turns }
}

export async function interruptTurn(agentId: string, turnId: string, whenFailed: string): Promise<void> {
  const agent = agentStore.getState().get(agentId)
  if (agent === undefined) return
  const result = await api.interrupt({ project: agent.projectId, agent: agentId }, turnId)
  if (!result.ok) postFailure(whenFailed, result.failure)
}

/** Asks for an approval first if the agent cannot be started without. */
export async function sendMessage(agentId: string, { id, text }: Message): Promise<Outcome<unknown>> {
  const agent = agentStore.getState().get(agentId)
  if (agent === undefined) return { ok: false, failure: GONE }
  const { projectId: project } = agent
  return withApproval(project, () => api.sendMessage({ project, agent: agentId }, { message: text, messageId: id }))
}

/** Into the terminal that the agent runs in; done when its turn has begun. */
export async function typePrompt(agentId: string, text: string): Promise<Outcome<unknown>> {
  const agent = agentStore.getState().get(agentId)
  if (agent === undefined) return { ok: false, failure: GONE }
  return api.typePrompt({ project: agent.projectId, agent: agentId }, text)
}
