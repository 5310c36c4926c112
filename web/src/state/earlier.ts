/** The conversations that an agent's CLI keeps by itself, as far as somebody looks at them. */

import { createStore } from 'zustand/vanilla'
import { api } from '../wire/api'
import { type Arrival, arrivalOf, type Failure } from '../wire/outcome'
import type { Earlier, View } from '../wire/shapes'
import { agentStore } from './agents'
import { withApproval } from './trust'

export interface EarlierConversations {
  list: readonly Earlier[]
  arrival: Arrival
  /** The one that is being attached. */
  attaching: string | null
  /** Why the last one was not. */
  notAttached: Failure | null
}

const UNSEEN: EarlierConversations = { list: [], arrival: 'awaited', attaching: null, notAttached: null }

export const earlierStore = createStore<EarlierConversations>(() => UNSEEN)

export async function lookAtEarlier(agentId: string): Promise<void> {
  earlierStore.setState(UNSEEN, true)
  const agent = agentStore.getState().get(agentId)
  if (agent === undefined) return
  const result = await api.earlier({ project: agent.projectId, agent: agentId })
  earlierStore.setState({ list: result.ok ? result.value : [], arrival: arrivalOf(result) })
}

interface Attach {
  agentId: string
  nodeId: string
  view: View
  conversationId: string
}

/** True when the agent goes on with it in its cell. */
export async function attachEarlier({ agentId, ...body }: Attach): Promise<boolean> {
  const agent = agentStore.getState().get(agentId)
  if (agent === undefined) return false
  earlierStore.setState({ attaching: body.conversationId, notAttached: null })
  const project = agent.projectId
  const result = await withApproval(project, () => api.attach({ project, agent: agentId }, body))
  earlierStore.setState({ attaching: null, notAttached: result.ok ? null : result.failure })
  return result.ok
}
