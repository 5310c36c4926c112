/** Opening, closing and setting up projects. */

import { api } from '../wire/api'
import type { Outcome } from '../wire/outcome'
import type { Settings } from '../wire/shapes'
import { postFailure } from './notices'
import { chooseProject } from './selection'

/** A folder on the server's machine, which is chosen once it is open. `takeOver`: the holder that may be ended for it. */
export async function openProject(path: string, takeOver: string | null): Promise<Outcome<unknown>> {
  const result = await api.openProject(path, takeOver)
  if (result.ok) chooseProject(result.value.id)
  return result
}

export async function closeProject(projectId: string, whenFailed: string): Promise<void> {
  const result = await api.closeProject(projectId)
  if (!result.ok) postFailure(whenFailed, result.failure)
}

export function saveSettings(projectId: string, settings: Settings): Promise<Outcome<unknown>> {
  return api.saveSettings(projectId, settings)
}
