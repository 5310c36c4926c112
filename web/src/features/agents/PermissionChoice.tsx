import { useId } from 'react'
import type { PermissionMode } from '../../wire/shapes'
import { useWords } from '../../words/useWords'

const MODES: readonly PermissionMode[] = ['ask', 'edit', 'plan', 'full']

interface PermissionChoiceProps {
  value: PermissionMode
  supported: readonly PermissionMode[]
  onChoose: (mode: PermissionMode) => void
}

/** How far an agent may go by itself, each mode in words. */
export function PermissionChoice({ value, supported, onChoose }: PermissionChoiceProps) {
  const words = useWords()
  const name = useId()
  const explain: Record<PermissionMode, string> = {
    ask: words.mode.askDetail,
    edit: words.mode.editDetail,
    plan: words.mode.planDetail,
    full: words.mode.fullDetail,
  }
  return (
    <fieldset className="choices-box">
      <legend className="form-label">{words.form.permissions}</legend>
      <div className="choices">
        {MODES.map((mode) => {
          const isPossible = supported.length === 0 || supported.includes(mode)
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
              <span className="small soft">{isPossible ? explain[mode] : words.form.permissionsUnsupported}</span>
            </label>
          )
        })}
      </div>
    </fieldset>
  )
}
