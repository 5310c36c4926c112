import { enterAgain } from '../state/page'
import { CopyButton } from '../ui/CopyButton'
import { Icon } from '../ui/Icon'
import { useWords } from '../words/useWords'
import { LanguageButton, ThemeMenu } from './StatusBar'

interface LockedPageProps {
  reason: 'noCredential' | 'revoked' | 'codeRefused' | 'unreachable'
}

function Command({ text }: { text: string }) {
  const words = useWords()
  return (
    <div className="command">
      <code>{text}</code>
      <span className="grow" />
      <CopyButton text={text} label={`${words.copy}: ${text}`} copiedLabel={words.copied} />
    </div>
  )
}

/** Without a key: why, and the commands that make a new link. */
export function LockedPage({ reason }: LockedPageProps) {
  const words = useWords()
  return (
    <div className="locked">
      <main className="locked-box">
        <Icon name="lock" size="l" />
        <h1>{words.locked.title}</h1>
        <p className="lead">{words.locked[reason]}</p>
        {reason === 'unreachable' && (
          <button type="button" className="btn primary" onClick={() => void enterAgain()}>
            {words.retry}
          </button>
        )}
        <p className="soft">{words.locked.how}</p>
        <Command text={words.locked.command} />
        <p className="soft">{words.locked.howRun}</p>
        <Command text={words.locked.commandRun} />
        <p className="soft">{words.locked.printed}</p>
      </main>
      <footer className="status">
        <span className="gap" />
        <LanguageButton />
        <ThemeMenu />
      </footer>
    </div>
  )
}
