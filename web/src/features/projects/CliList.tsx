import { InstallHint } from '../../bind/InstallHint'
import { Icon } from '../../ui/Icon'
import type { Profile } from '../../wire/shapes'
import { useWords } from '../../words/useWords'

interface CliListProps {
  profiles: readonly Profile[]
  chosen: Profile | undefined
  onChoose: (id: string) => void
}

/** What was found can be chosen; what is missing says how to get it. */
export function CliList({ profiles, chosen, onChoose }: CliListProps) {
  return (
    <ul className="clis" aria-labelledby="found">
      {profiles.map((profile) => (
        <li key={profile.id}>
          {profile.missing === null ? (
            <FoundCli profile={profile} isChosen={profile.id === chosen?.id} onChoose={onChoose} />
          ) : (
            <MissingCli profile={profile} />
          )}
        </li>
      ))}
    </ul>
  )
}

interface FoundCliProps {
  profile: Profile
  isChosen: boolean
  onChoose: (id: string) => void
}

function FoundCli({ profile, isChosen, onChoose }: FoundCliProps) {
  const words = useWords()
  const views = profile.canChat && profile.canTerminal ? 'both' : profile.canChat ? 'chatOnly' : 'terminalOnly'
  return (
    <label className={isChosen ? 'cli chosen' : 'cli'}>
      <input type="radio" name="cli" checked={isChosen} onChange={() => onChoose(profile.id)} />
      <b className="strong">{profile.name}</b>
      <span className="how">{words.firstRun[views]}</span>
      <span className="have">
        <Icon name="check" size="s" />
        {profile.version === null ? words.firstRun.foundPlain : words.firstRun.found(profile.version)}
      </span>
    </label>
  )
}

function MissingCli({ profile }: { profile: Profile }) {
  const words = useWords()
  return (
    <div className="cli off">
      <Icon name="down-load" />
      <b className="strong">{profile.name}</b>
      <InstallHint profile={profile} />
      <span className="miss">{words.firstRun.missing}</span>
    </div>
  )
}
