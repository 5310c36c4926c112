/** The person's approval of what a project would make run. */

import { api } from '../wire/api'
import type { Outcome } from '../wire/outcome'
import type { Trust } from '../wire/shapes'
import { projectStore } from './project'
import { openDialog, selectionStore } from './selection'

export async function approveTrust(projectId: string, hash: string): Promise<Outcome<Trust>> {
  const result = await api.approve(projectId, hash)
  const known = projectStore.getState().get(projectId)
  // The event says the same, but whoever waits for the approval goes on as soon as the dialog closes.
  if (result.ok && known !== undefined) {
    projectStore.setState((all) => new Map(all).set(projectId, { ...known, trust: result.value }), true)
  }
  return result
}

/** Shows what would run; true when the person has approved it by the time the dialog is closed. */
export function askForApproval(projectId: string): Promise<boolean> {
  openDialog({ name: 'trust' })
  return new Promise((resolve) => {
    const stop = selectionStore.subscribe(({ dialog }) => {
      if (dialog?.name === 'trust') return
      stop()
      resolve(projectStore.getState().get(projectId)?.trust.isTrusted === true)
    })
  })
}

/** `call`, and once more when it needed an approval and the person gave it. */
export async function withApproval<T>(projectId: string, call: () => Promise<Outcome<T>>): Promise<Outcome<T>> {
  const result = await call()
  if (result.ok || result.failure.code !== 'TRUST_REQUIRED' || !(await askForApproval(projectId))) return result
  return call()
}
