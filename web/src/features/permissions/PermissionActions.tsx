import { useState } from 'react'
import { decide } from '../../state/decide'
import type { ProjectPermission } from '../../state/permissions'
import type { Decision } from '../../wire/shapes'
import type { Words } from '../../words/en'
import { useWords } from '../../words/useWords'

interface PermissionActionsProps {
  permission: ProjectPermission
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
  return decision !== undefined && permission.choices.includes(decision) ? decision : null
}

/** One button per possible answer; Enter answers nothing unless a button has the focus. */
export function PermissionActions({
  permission,
  size,
  hasKeys = false,
  isPrimary = false,
  isLastFirst = false,
}: PermissionActionsProps) {
  const words = useWords()
  const [isSent, setIsSent] = useState(false)
  const answer = (decision: Decision) => {
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
  const choices = isLastFirst ? permission.choices.toReversed() : permission.choices
  return choices.map((decision) => (
    <button
      key={decision}
      type="button"
      className={className(decision)}
      disabled={isSent}
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
}

function labelOf(decision: Decision, words: Words, isShort: boolean): string {
  const { allowOnce, allowOnceShort, allowSession, allowSessionShort, deny } = words.permission
  const labels: Record<Decision, string> = isShort
    ? { allowOnce: allowOnceShort, allowSession: allowSessionShort, deny }
    : { allowOnce, allowSession, deny }
  return labels[decision]
}
