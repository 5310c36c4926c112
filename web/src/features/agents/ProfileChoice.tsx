import { Awaited } from '../../bind/Awaited'
import type { Profiles } from '../../bind/useProfiles'
import { Field } from '../../ui/Field'
import { Select } from '../../ui/Select'
import { Sentence } from '../../ui/Sentence'
import { isFailure } from '../../wire/outcome'
import type { Profile } from '../../wire/shapes'
import { useWords } from '../../words/useWords'

interface ProfileChoiceProps {
  profiles: Profiles
  /** An id; empty while nothing is found. */
  chosen: string
  onChoose: (id: string) => void
}

/** Which CLI an agent runs, and for one that is missing how to get it. */
export function ProfileChoice({ profiles, chosen, onChoose }: ProfileChoiceProps) {
  const words = useWords()
  if (isFailure(profiles.arrival)) {
    return <Awaited arrival={profiles.arrival} title={words.firstRun.notLooked} onRetry={profiles.look} />
  }
  const known = profiles.list.find((one) => one.id === chosen)
  const isUnknown = known === undefined && chosen !== '' && profiles.list.length > 0
  const hint = isUnknown
    ? words.form.profileUnknownHint
    : profiles.arrival === 'awaited'
      ? words.firstRun.looking
      : hintOf(known)
  return (
    <Field label={words.form.profile} hint={<Sentence text={hint} />}>
      {(ids) => (
        <Select {...ids} value={chosen} onChange={(event) => onChoose(event.target.value)}>
          {isUnknown && <option value={chosen}>{words.form.profileUnknown(chosen)}</option>}
          {profiles.list.map((profile) => (
            <option key={profile.id} value={profile.id}>
              {profile.name}
              {profile.missing !== null && ` (${words.firstRun.missing})`}
            </option>
          ))}
        </Select>
      )}
    </Field>
  )

  function hintOf(profile: Profile | undefined): string {
    if (profile === undefined) return ''
    if (profile.missing !== null) return words.form.missing(profile.installHint)
    const views = profile.canChat && profile.canTerminal ? 'both' : profile.canChat ? 'chatOnly' : 'terminalOnly'
    const found = profile.version === null ? words.firstRun.foundPlain : words.firstRun.found(profile.version)
    return `${words.firstRun[views]} · ${found}`
  }
}
