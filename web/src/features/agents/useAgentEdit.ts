import { useEffect, useRef, useState } from 'react'
import { type AgentEdit, type AgentField, beginEdit, decided, rebased, withFields } from '../../state/agentEdit'
import { type Agents, agentStore } from '../../state/agents'
import type { Failure, Outcome } from '../../wire/outcome'
import type { AgentFields } from '../../wire/shapes'

interface Editing {
  edit: AgentEdit
  change: (part: Partial<AgentFields>) => void
  decide: (field: AgentField, whose: 'mine' | 'theirs') => void
  isSaving: boolean
  failure: Failure | null
  /** True when `call` was done. */
  save: (call: () => Promise<Outcome<unknown>>) => Promise<boolean>
}

/** The form of one agent, kept in step with what others make of the agent meanwhile. */
export function useAgentEdit(agentId: string | null, draft: Partial<AgentFields>): Editing {
  const [edit, setEdit] = useState(() => beginEdit(agentStore.getState().get(agentId ?? ''), draft))
  const [failure, setFailure] = useState<Failure | null>(null)
  const [isSaving, setIsSaving] = useState(false)
  // Our own change is told to us as well, perhaps before its answer comes.
  const isUnderWay = useRef(false)
  const follow = (agents: Agents) => {
    const agent = agents.get(agentId ?? '')
    if (agent !== undefined && !isUnderWay.current) setEdit((before) => rebased(before, agent))
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: `follow` reads nothing else that changes.
  useEffect(() => agentStore.subscribe(follow), [agentId])
  const save = async (call: () => Promise<Outcome<unknown>>) => {
    isUnderWay.current = true
    setIsSaving(true)
    const result = await call()
    isUnderWay.current = false
    setIsSaving(false)
    setFailure(result.ok ? null : result.failure)
    if (!result.ok) follow(agentStore.getState())
    return result.ok
  }
  return {
    edit,
    change: (part) => setEdit((before) => withFields(before, part)),
    decide: (field, whose) => setEdit((before) => decided(before, field, whose)),
    isSaving,
    failure,
    save,
  }
}
