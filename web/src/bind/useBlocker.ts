import { useStore } from 'zustand'
import { agentStore, type ProjectAgent } from '../state/agents'
import type { Known } from '../state/blocker'
import { delegationStore } from '../state/delegations'
import { permissionStore } from '../state/permissions'

/** The name of the agent that `find` says waits for a person. */
export function useBlocker(find: (known: Known) => ProjectAgent | null): string | null {
  const read = () =>
    find({
      agents: agentStore.getState(),
      delegations: delegationStore.getState(),
      permissions: permissionStore.getState(),
    })?.name ?? null
  // A name each time, so that nothing is drawn anew for every word that an agent says.
  useStore(agentStore, read)
  useStore(delegationStore, read)
  return useStore(permissionStore, read)
}
