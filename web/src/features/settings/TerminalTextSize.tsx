import { useStore } from 'zustand'
import { preferenceStore, TERMINAL_FONT_PX, zoomTerminals } from '../../state/preferences'
import { Field } from '../../ui/Field'
import { Select } from '../../ui/Select'
import { useWords } from '../../words/useWords'

const { least, usual, most } = TERMINAL_FONT_PX
const SIZES = Array.from({ length: most - least + 1 }, (_, step) => least + step)

/** Of all terminals in this browser, at once and without saving. */
export function TerminalTextSize() {
  const words = useWords()
  const px = useStore(preferenceStore, (preferences) => preferences.terminalFontPx)
  return (
    <Field label={words.settingsForm.terminalText} hint={words.settingsForm.terminalTextHint}>
      {(ids) => (
        <Select {...ids} value={px} onChange={(event) => zoomTerminals(Number(event.target.value))}>
          {SIZES.map((size) => (
            <option key={size} value={size}>
              {size === usual ? `${size} px, ${words.settingsForm.default(String(usual))}` : `${size} px`}
            </option>
          ))}
        </Select>
      )}
    </Field>
  )
}
