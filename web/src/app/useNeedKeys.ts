import { useLayoutEffect } from 'react'
import { keyDecision } from '../features/permissions/PermissionActions'
import type { Need } from '../state/needsYou'
import { selectionStore } from '../state/selection'
import type { Decision } from '../wire/shapes'
import { isTyping } from './isTyping'

interface NeedKeys {
  chosen: Need | undefined
  onMove: (by: 1 | -1) => void
  onGo: (agentId: string) => void
  onDecide: (decision: Decision) => void
}

/** The keys of the page of what needs you: J, K, G, and the answers to the request in view. Never while somebody types. */
export function useNeedKeys({ chosen, onMove, onGo, onDecide }: NeedKeys): void {
  // Before it is drawn: a key answers the request that is seen, never the one before.
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || isElsewhere(event.target)) return
      const action = actionOf(event, { chosen, onMove, onGo, onDecide })
      if (action === null) return
      event.preventDefault()
      action()
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [chosen, onMove, onGo, onDecide])
}

function actionOf({ key, repeat }: KeyboardEvent, { chosen, onMove, onGo, onDecide }: NeedKeys): (() => void) | null {
  switch (key.toLowerCase()) {
    case 'j':
      return () => onMove(1)
    case 'k':
      return () => onMove(-1)
    case 'g':
      return chosen === undefined || chosen.kind === 'trust' ? null : () => onGo(chosen.agent.id)
    default: {
      // A key that is held down would go on to answer what comes after.
      if (chosen?.kind !== 'permission' || repeat) return null
      const decision = keyDecision(key, chosen.permission)
      return decision === null ? null : () => onDecide(decision)
    }
  }
}

function isElsewhere(target: EventTarget | null): boolean {
  if (isTyping(target) || selectionStore.getState().dialog !== null) return true
  return target instanceof HTMLElement && target.closest('[role="menu"], [role="dialog"]') !== null
}
