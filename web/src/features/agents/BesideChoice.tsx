import { useId } from 'react'
import type { Profile } from '../../wire/shapes'
import { useWords } from '../../words/useWords'

interface BesideChoiceProps {
  /** Null: as the profile has it. */
  value: boolean | null
  profile: Profile
  onChoose: (value: boolean | null) => void
}

/** Whether other agents get an answer while the person uses the terminal. */
export function BesideChoice({ value, profile, onChoose }: BesideChoiceProps) {
  const words = useWords()
  const hint = useId()
  return (
    <div>
      <label className="check">
        <input
          type="checkbox"
          checked={value ?? profile.answersBeside}
          aria-describedby={hint}
          onChange={({ target }) => onChoose(target.checked === profile.answersBeside ? null : target.checked)}
        />
        <span>{words.form.beside}</span>
      </label>
      <p className="small soft" id={hint}>
        {words.form.besideHint}
      </p>
    </div>
  )
}
