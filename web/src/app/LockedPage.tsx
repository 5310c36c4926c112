import { CopyButton } from '../ui/CopyButton'
import { Icon } from '../ui/Icon'
import { useWords } from '../words/useWords'
import { LanguageButton, ThemeMenu } from './StatusBar'

interface LockedPageProps {
  reason: 'noCredential' | 'revoked' | 'codeRefused' | 'unreachable'
}

/** Without a key: why, and the one command that makes a new link. */
export function LockedPage({ reason }: LockedPageProps) {
  const words = useWords()
  return (
    <div className="locked">
      <main className="locked-box">
        <Icon name="lock" size="l" />
        <h1>{words.locked.title}</h1>
        <p className="lead">{words.locked[reason]}</p>
        <p className="soft">{words.locked.how}</p>
        <div className="command">
          <code>{words.locked.command}</code>
          <span className="grow" />
          <CopyButton text={words.locked.command} label={words.copy} copiedLabel={words.copied} />
        </div>
      </main>
      <footer className="status">
        <span className="gap" />
        <LanguageButton />
        <ThemeMenu />
      </footer>
    </div>
  )
}
