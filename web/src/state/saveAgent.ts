/** Making, changing and deleting agents. */

import { api } from '../wire/api'
import type { Outcome } from '../wire/outcome'
import type { AgentFields } from '../wire/shapes'
import type { AgentEdit } from './agentEdit'
import type { ProjectAgent } from './agents'
import { postFailure } from './notices'

export function createAgent(projectId: string, fields: AgentFields): Promise<Outcome<unknown>> {
  return api.createAgent(projectId, trimmed(fields))
}

/** Fails if the agent is not the one any more that the person saw. */
export function saveAgent(projectId: string, agentId: string, edit: AgentEdit): Promise<Outcome<unknown>> {
  return api.saveAgent({ project: projectId, agent: agentId }, { ...trimmed(edit.fields), base: edit.version })
}

/** True when it is gone. */
export async function deleteAgent({ projectId, id }: ProjectAgent, whenFailed: string): Promise<boolean> {
  const result = await api.deleteAgent({ project: projectId, agent: id })
  if (!result.ok) postFailure(whenFailed, result.failure)
  return result.ok
}

function trimmed(fields: AgentFields): AgentFields {
  return { ...fields, name: fields.name.trim() }
}
