import { type FormEvent, useState } from 'react'
import { FailureNotice } from '../../bind/FailureNotice'
import { saveSettings } from '../../state/openProject'
import type { ProjectFacts } from '../../state/project'
import { Dialog } from '../../ui/Dialog'
import { Field } from '../../ui/Field'
import type { Failure } from '../../wire/outcome'
import type { Settings } from '../../wire/shapes'
import { useWords } from '../../words/useWords'
import { Browsers } from './Browsers'
import { ChoiceField } from './ChoiceField'
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
const RESUMES = ['offer', 'auto'] as const
const LOCALES = ['auto', 'en', 'fr'] as const
const LANGUAGES: Partial<Record<Settings['locale'], string>> = { en: 'English', fr: 'Français' }
const KEEPER_BY_DEFAULT = 'process'

/** The project's settings with their units and defaults, and the browsers that have a key. */
export function SettingsDialog({ project, onClose }: { project: ProjectFacts; onClose: () => void }) {
  const words = useWords()
  const [settings, setSettings] = useState<Settings>(project.settings)
  const [failure, setFailure] = useState<Failure | null>(null)
  const keeperHint = words.settingsForm.keeperHint(words.settingsForm.keeperChoice[KEEPER_BY_DEFAULT])
  const isChanged = JSON.stringify(settings) !== JSON.stringify(project.settings)
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
      unsaved={isChanged ? words.unsaved : null}
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
          <ChoiceField
            label={words.settingsForm.keeper}
            hint={keeperHint}
            value={settings.keeper}
            choices={KEEPERS.map((keeper) => [keeper, words.settingsForm.keeperChoice[keeper]] as const)}
            onChoose={(keeper) => setSettings({ ...settings, keeper })}
          />
          <ChoiceField
            label={words.settingsForm.resume}
            value={settings.resume}
            choices={RESUMES.map((resume) => [resume, words.settingsForm.resumeChoice[resume]] as const)}
            onChoose={(resume) => setSettings({ ...settings, resume })}
          />
          <ChoiceField
            label={words.settingsForm.locale}
            value={settings.locale}
            choices={LOCALES.map((locale) => [locale, LANGUAGES[locale] ?? words.settingsForm.localeAuto] as const)}
            onChoose={(locale) => setSettings({ ...settings, locale })}
          />
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
