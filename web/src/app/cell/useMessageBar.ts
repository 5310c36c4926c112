import { useStore } from 'zustand'
import { useProfile } from '../../bind/useProfile'
import type { ProjectAgent } from '../../state/agents'
import { messageBarStore } from '../../state/messageBars'
import { takesPrompts } from '../../state/promptBlock'
import { useIsNarrow } from '../useIsNarrow'

/**
 * The box for messages under a cell's terminal. On a phone it is always there: what its keyboard suggests and corrects
 * needs a text field. `none` where nothing runs, or nothing would show that a message was taken.
 */
export function useMessageBar(nodeId: string, agent: ProjectAgent): 'none' | 'closed' | 'open' | 'fixed' {
  const profile = useProfile(agent.projectId, agent.profile)
  const isOpen = useStore(messageBarStore, (open) => open.has(nodeId))
  const isNarrow = useIsNarrow()
  if (agent.session?.kind !== 'pty' || !takesPrompts(profile, agent.readiness)) return 'none'
  if (isNarrow) return 'fixed'
  return isOpen ? 'open' : 'closed'
}
