import { type FormEvent, useState } from 'react'
import { FailureNotice } from '../../bind/FailureNotice'
import { saveSettings } from '../../state/openProject'
import type { ProjectFacts } from '../../state/project'
import { Dialog } from '../../ui/Dialog'
import { Field } from '../../ui/Field'
import { Select } from '../../ui/Select'
import type { Failure } from '../../wire/outcome'
import type { Settings } from '../../wire/shapes'
import { useWords } from '../../words/useWords'
import { Browsers } from './Browsers'
import { TerminalTextSize } from './TerminalTextSize'

const LONGEST_S = 86_400
/** A day; the server refuses more. */

const TIMES = [
  ['turnTimeoutS', 300],
  ['queueWaitS', 900],
  ['permissionWaitS', 600],
  ['stalledAfterS', 360],
] as const

const KEEPERS = ['process', 'in-process'] as const
const KEEPER_BY_DEFAULT = 'process'

/** The project's settings with their units and defaults, and the browsers that have a key. */
export function SettingsDialog({ project, onClose }: { project: ProjectFacts; onClose: () => void }) {
  const words = useWords()
  const [settings, setSettings] = useState<Settings>(project.settings)
  const [failure, setFailure] = useState<Failure | null>(null)
  const keeperHint = words.settingsForm.keeperHint(words.settingsForm.keeperChoice[KEEPER_BY_DEFAULT])
  const save = async (event: FormEvent) => {
    event.preventDefault()
    const result = await saveSettings(project.id, settings)
    if (result.ok) onClose()
    else setFailure(result.failure)
  }
  return (
    <Dialog
      title={words.settings}
      lead={words.settingsForm.lead(project.name)}
      closeLabel={words.close}
      onClose={onClose}
    >
      <form className="dialog-form" onSubmit={(event) => void save(event)}>
        <div className="dialog-body">
          {TIMES.map(([key, byDefault]) => (
            <Field key={key} label={words.settingsForm[key]}>
              {({ id }) => (
                <span className="inline-field">
                  <input
                    id={id}
                    className="field"
                    type="number"
                    required
                    min={1}
                    max={LONGEST_S}
                    value={settings[key]}
                    onChange={(event) => setSettings({ ...settings, [key]: event.target.valueAsNumber || 0 })}
                  />
                  <span className="small soft">{words.settingsForm.seconds}</span>
                  <span className="small muted">{words.settingsForm.default(String(byDefault))}</span>
                </span>
              )}
            </Field>
          ))}
          <Field label={words.settingsForm.keeper} hint={keeperHint}>
            {(ids) => (
              <Select
                {...ids}
                value={settings.keeper}
                onChange={(event) => setSettings({ ...settings, keeper: keeperOf(event.target.value) })}
              >
                {KEEPERS.map((keeper) => (
                  <option key={keeper} value={keeper}>
                    {words.settingsForm.keeperChoice[keeper]}
                  </option>
                ))}
              </Select>
            )}
          </Field>
          <Field label={words.settingsForm.locale}>
            {({ id }) => (
              <Select
                id={id}
                value={settings.locale}
                onChange={(event) => setSettings({ ...settings, locale: localeOf(event.target.value) })}
              >
                <option value="auto">{words.settingsForm.localeAuto}</option>
                <option value="en">English</option>
                <option value="fr">Français</option>
              </Select>
            )}
          </Field>
          <TerminalTextSize />
          <Browsers />
          {failure !== null && <FailureNotice title={words.settingsForm.notSaved} failure={failure} />}
        </div>
        <footer className="dialog-foot">
          <button type="button" className="btn quiet" onClick={onClose}>
            {words.cancel}
          </button>
          <button type="submit" className="btn primary">
            {words.save}
          </button>
        </footer>
      </form>
    </Dialog>
  )
}

function keeperOf(value: string): Settings['keeper'] {
  return value === 'process' ? value : 'in-process'
}

function localeOf(value: string): Settings['locale'] {
  return value === 'en' || value === 'fr' ? value : 'auto'
}
