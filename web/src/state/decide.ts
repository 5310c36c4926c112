/** The person's answer to a permission request. */

import { api } from '../wire/api'
import type { Decision } from '../wire/shapes'
import { postFailure } from './notices'
import type { ProjectPermission } from './permissions'
import { canAnswer } from './readRequests'

export async function decide(permission: ProjectPermission, decision: Decision, whenFailed: string): Promise<void> {
  // Whichever way it came here: nobody allows what they did not see.
  if (!canAnswer(permission, decision)) return
  const path = { project: permission.projectId, agent: permission.agentId }
  const result = await api.decide(path, permission.requestId, decision)
  // Settled meanwhile, by another browser or by itself: the event that says so is on its way.
  if (result.ok || result.failure.code === 'NOT_FOUND') return
  postFailure(whenFailed, result.failure)
}
