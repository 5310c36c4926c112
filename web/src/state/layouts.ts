/** The project's named layouts: choosing, making, naming, sharing and deleting them. */

import { api } from '../wire/api'
import type { Failure, Outcome } from '../wire/outcome'
import { postFailure } from './notices'

const ORIGIN = 'layouts'
/** No grid's own: each follows what the server makes of it. */

type Save = () => Promise<void>

let saveGrid: Save | null = null

/** The grid in view saves what is still due before the server copies, publishes or leaves a layout. */
export function whenSaveIsDue(save: Save): () => void {
  saveGrid = save
  return () => {
    if (saveGrid === save) saveGrid = null
  }
}

async function settled<T>(call: () => Promise<Outcome<T>>): Promise<Outcome<T>> {
  await saveGrid?.()
  return call()
}

/** Null when it was done. */
async function failureOf(call: () => Promise<Outcome<unknown>>): Promise<Failure | null> {
  const result = await settled(call)
  return result.ok ? null : result.failure
}

export function createLayout(projectId: string, name: string): Promise<Failure | null> {
  return failureOf(() => api.createLayout(projectId, name, ORIGIN))
}

export function renameLayout(projectId: string, name: string, next: string): Promise<Failure | null> {
  return failureOf(() => api.renameLayout(projectId, name, next, ORIGIN))
}

export function deleteLayout(projectId: string, name: string): Promise<Failure | null> {
  return failureOf(() => api.deleteLayout(projectId, name))
}

export type LayoutAct = 'show' | 'share' | 'unshare' | 'take'

/** Done from a menu, which is gone when the answer is there: a failure becomes a notice of this title. */
export async function actOnLayout(act: LayoutAct, projectId: string, name: string, whenFailed: string): Promise<void> {
  const failure = await failureOf(() => api.actOnLayout(act, projectId, name, ORIGIN))
  if (failure !== null) postFailure(whenFailed, failure)
}
