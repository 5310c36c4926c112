import { useCallback, useRef } from 'react'
import { useNeeds } from '../bind/useNeeds'
import { openDialog } from '../state/selection'
import { focusWhenThere } from '../ui/focusWhenThere'

/** Walks through what needs the person: each call goes to the next, and puts the focus on its request. */
export function useGoToNeeds(projectId: string | null, show: (agentId: string) => void): () => void {
  const needs = useNeeds(projectId)
  const last = useRef<string | null>(null)
  return useCallback(() => {
    const index = needs.findIndex((need) => need.id === last.current)
    const next = needs[(index + 1) % Math.max(1, needs.length)]
    if (next === undefined) return
    last.current = next.id
    if (next.kind === 'trust') return openDialog({ name: 'trust' })
    show(next.agent.id)
    if (next.kind !== 'permission') return
    focusWhenThere(() => document.querySelector<HTMLElement>(`.cell-body [data-request="${CSS.escape(next.id)}"]`))
  }, [needs, show])
}
