import { useId } from 'react'
import { Notice } from '../../ui/Notice'
import type { ModeReach, PermissionMode, Profile } from '../../wire/shapes'
import type { Words } from '../../words/en'
import { useWords } from '../../words/useWords'

const MODES: readonly PermissionMode[] = ['ask', 'edit', 'plan', 'full']

interface PermissionChoiceProps {
  value: PermissionMode
  /** Undefined: not known yet, or not at all. */
  profile: Profile | undefined
  onChoose: (mode: PermissionMode) => void
}

/** How far an agent may go by itself: each mode by what this CLI makes of it, since no two do the same. */
export function PermissionChoice({ value, profile, onChoose }: PermissionChoiceProps) {
  const words = useWords()
  const name = useId()
  const known = new Map(profile?.permissions.map((one) => [one.mode, one]))
  // A shell asks for nothing, whatever it is told.
  if (profile !== undefined && known.size === 0) return null
  const chosen = known.get(value)
  return (
    <fieldset className="choices-box">
      <legend className="form-label">{words.form.permissions}</legend>
      <div className="choices">
        {MODES.map((mode) => {
          const permission = known.get(mode)
          const isPossible = profile === undefined || permission !== undefined
          return (
            <label key={mode} className="choice">
              <input
                type="radio"
                name={name}
                checked={value === mode}
                disabled={!isPossible}
                onChange={() => onChoose(mode)}
              />
              <span className="strong">{words.mode[mode]}</span>
              <span className="small soft">
                {(isPossible ? explain(permission, words) : [words.form.permissionsUnsupported]).map((line) => (
                  <span key={line} className="line">
                    {line}
                  </span>
                ))}
              </span>
            </label>
          )
        })}
      </div>
      {profile !== undefined && value !== 'plan' && chosen?.chat === 'reads' && (
        <Notice tone="stalled" icon="flag" role="status">
          {words.form.readsAsChat(profile.name)}
        </Notice>
      )}
    </fieldset>
  )
}

function explain(permission: ModeReach | undefined, words: Words): readonly string[] {
  if (permission === undefined) return []
  const { chat, terminal } = permission
  const reach = chat ?? terminal
  if (reach === null) return [words.reachByProfile]
  if (chat === null || terminal === null || chat === terminal) return [words.reach[reach]]
  return [words.asChat(words.reach[chat]), words.asTerminal(words.reach[terminal])]
}
