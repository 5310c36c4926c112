import type { ReactNode } from 'react'
import { Field } from '../../ui/Field'
import { Select } from '../../ui/Select'

interface ChoiceFieldProps<T extends string> {
  label: string
  hint?: ReactNode
  value: T
  choices: readonly (readonly [value: T, label: string])[]
  onChoose: (value: T) => void
}

/** One setting of a few values. */
export function ChoiceField<T extends string>({ label, hint, value, choices, onChoose }: ChoiceFieldProps<T>) {
  const choose = (text: string) => {
    const chosen = choices.find(([one]) => one === text)
    if (chosen !== undefined) onChoose(chosen[0])
  }
  return (
    <Field label={label} {...(hint === undefined ? {} : { hint })}>
      {(ids) => (
        <Select {...ids} value={value} onChange={(event) => choose(event.target.value)}>
          {choices.map(([one, words]) => (
            <option key={one} value={one}>
              {words}
            </option>
          ))}
        </Select>
      )}
    </Field>
  )
}
