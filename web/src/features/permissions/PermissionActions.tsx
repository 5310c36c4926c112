import { useState } from 'react'
import { useStore } from 'zustand'
import { decide } from '../../state/decide'
import type { ProjectPermission } from '../../state/permissions'
import { canAnswer, readStore } from '../../state/readRequests'
import type { Decision } from '../../wire/shapes'
import type { Words } from '../../words/en'
import { useWords } from '../../words/useWords'

interface PermissionActionsProps {
  permission: ProjectPermission
  /** It has stood there long enough to be meant. */
  isArmed: boolean
  size?: 's' | 'xl'
  /** Shows the keys that `keyDecision` understands. */
  hasKeys?: boolean
  isPrimary?: boolean
  /** In a bar at the right edge: the main answer stands last. */
  isLastFirst?: boolean
}

const KEYS: Record<string, Decision> = { a: 'allowOnce', s: 'allowSession', d: 'deny' }

export function keyDecision(key: string, permission: ProjectPermission): Decision | null {
  const decision = KEYS[key.toLowerCase()]
  return decision !== undefined && canAnswer(permission, decision) ? decision : null
}

/** One button per possible answer; Enter answers nothing unless a button has the focus. What was not read is not allowed. */
export function PermissionActions({
  permission,
  isArmed,
  size,
  hasKeys = false,
  isPrimary = false,
  isLastFirst = false,
}: PermissionActionsProps) {
  const words = useWords()
  const [isSent, setIsSent] = useState(false)
  const read = useStore(readStore)
  const isOff = isSent || !isArmed
  const answer = (decision: Decision) => {
    if (isOff) return
    setIsSent(true)
    void decide(permission, decision, words.permission.notSent).finally(() => setIsSent(false))
  }
  const className = (decision: Decision) =>
    [
      'btn',
      size,
      isPrimary && decision === 'allowOnce' && 'primary',
      size === 'xl' && decision === 'allowOnce' && 'wide',
    ]
      .filter(Boolean)
      .join(' ')
  const offered = permission.choices.filter((decision) => canAnswer(permission, decision, read))
  const isHeldBack = offered.length < permission.choices.length
  const buttons = (isLastFirst ? offered.toReversed() : offered).map((decision) => (
    <button
      key={decision}
      type="button"
      className={className(decision)}
      // Not `disabled`, which would take the focus away for good.
      aria-disabled={isOff}
      onClick={() => answer(decision)}
    >
      {labelOf(decision, words, size === 's')}
      {hasKeys && (
        <kbd>
          {Object.keys(KEYS)
            .find((key) => KEYS[key] === decision)
            ?.toUpperCase()}
        </kbd>
      )}
    </button>
  ))
  return (
    <>
      {isHeldBack && <span className="held-back">{words.permission.readFirst}</span>}
      {buttons}
    </>
  )
}

function labelOf(decision: Decision, words: Words, isShort: boolean): string {
  const { allowOnce, allowOnceShort, allowSession, allowSessionShort, deny } = words.permission
  const labels: Record<Decision, string> = isShort
    ? { allowOnce: allowOnceShort, allowSession: allowSessionShort, deny }
    : { allowOnce, allowSession, deny }
  return labels[decision]
}
