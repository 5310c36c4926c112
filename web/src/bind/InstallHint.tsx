import { commandIn } from '../lib/commandIn'
import { CopyButton } from '../ui/CopyButton'
import { Sentence } from '../ui/Sentence'
import type { Profile } from '../wire/shapes'
import { useWords } from '../words/useWords'

/** How to get a CLI that is missing: its command, ready to copy, else what is known. */
export function InstallHint({ profile }: { profile: Profile }) {
  const words = useWords()
  const command = commandIn(profile.installHint)
  if (command === null)
    return (
      <span className="how">
        <Sentence text={profile.installHint || (profile.missing ?? '')} />
      </span>
    )
  return (
    <span className="get" title={profile.installHint.replaceAll('`', '')}>
      <code className="truncate">{command}</code>
      <CopyButton text={command} label={words.copyCommand(profile.name)} copiedLabel={words.copied} />
    </span>
  )
}
