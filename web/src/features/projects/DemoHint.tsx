import { CopyButton } from '../../ui/CopyButton'
import { useWords } from '../../words/useWords'

const COMMAND = 'idea demo'

/** How to see IdeA at work without a CLI. A page cannot begin it: the demo is a server of its own, which ends with its terminal. */
export function DemoHint() {
  const words = useWords()
  return (
    <div className="demo-hint small">
      <p>
        {words.firstRun.demoHint}. {words.firstRun.demoHow}
      </p>
      <span className="get">
        <code>{COMMAND}</code>
        <CopyButton text={COMMAND} label={words.copyCommand(words.project.demo)} copiedLabel={words.copied} />
      </span>
    </div>
  )
}
