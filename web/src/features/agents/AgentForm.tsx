import type { Profiles } from '../../bind/useProfiles'
import { Field } from '../../ui/Field'
import type { AgentFields, PermissionMode, Profile } from '../../wire/shapes'
import { useWords } from '../../words/useWords'
import { BesideChoice } from './BesideChoice'
import { PermissionChoice } from './PermissionChoice'
import { ProfileChoice } from './ProfileChoice'

/** As the server takes them, and says in its description. */
export const MAX_NAME_CHARS = 80

interface AgentFormProps {
  fields: AgentFields
  profiles: Profiles
  /** What it runs, also where nothing was chosen yet. */
  profileId: string
  onChange: (part: Partial<AgentFields>) => void
}

/** Where none was chosen, what its CLI is best begun with. */
export function permissionsOf({ permissions }: AgentFields, profile: Profile | undefined): PermissionMode {
  return permissions ?? profile?.suggestedPermissions ?? 'ask'
}

/** What a person says of an agent. */
export function AgentForm({ fields, profiles, profileId, onChange }: AgentFormProps) {
  const words = useWords()
  const profile = profiles.list.find((one) => one.id === profileId)
  return (
    <>
      <Field label={words.form.name} hint={words.form.nameHint}>
        {(ids) => (
          <input
            {...ids}
            className="field"
            required
            maxLength={MAX_NAME_CHARS}
            autoComplete="off"
            value={fields.name}
            onChange={(event) => onChange({ name: event.target.value })}
          />
        )}
      </Field>
      <ProfileChoice profiles={profiles} chosen={profileId} onChoose={(id) => onChange({ profile: id })} />
      <Field label={words.form.model} hint={words.form.modelHint}>
        {(ids) => (
          <input
            {...ids}
            className="field"
            autoComplete="off"
            spellCheck={false}
            value={fields.model ?? ''}
            onChange={(event) => onChange({ model: event.target.value.trim() || null })}
          />
        )}
      </Field>
      <PermissionChoice
        value={permissionsOf(fields, profile)}
        profile={profile}
        onChoose={(permissions) => onChange({ permissions })}
      />
      {profile?.canChat === true && profile.canTerminal && (
        <BesideChoice
          value={fields.allowStructuredAlongsidePty ?? null}
          profile={profile}
          onChoose={(value) => onChange({ allowStructuredAlongsidePty: value })}
        />
      )}
      <Field label={words.form.instructions} hint={words.form.instructionsHint}>
        {(ids) => (
          <textarea
            {...ids}
            className="field"
            value={fields.instructions ?? ''}
            onChange={(event) => onChange({ instructions: event.target.value })}
          />
        )}
      </Field>
    </>
  )
}
