import { useState } from 'react'
import { revokeBrowser } from '../../state/browsers'
import type { Credential } from '../../wire/shapes'
import type { Words } from '../../words/en'
import { useLocale, useWords } from '../../words/useWords'
import { dayAndTime } from '../../words/words'

/** One that has a key; asks once more in place before it is taken away. */
export function BrowserRow({ browser }: { browser: Credential }) {
  const words = useWords()
  const locale = useLocale()
  const [isAsking, setIsAsking] = useState(false)
  const label = labelOf(browser, words)
  if (isAsking) {
    const question = words.settingsForm.revokeAsk(label)
    return (
      <li>
        <div className="grow confirm" role="alertdialog" aria-label={question}>
          <p className="small">
            <b className="strong">{question}</b> {browser.isCurrent && words.settingsForm.revokeOwn}
          </p>
          <button type="button" className="btn s quiet" onClick={() => setIsAsking(false)}>
            {words.settingsForm.keep}
          </button>
          <button type="button" className="btn s danger" onClick={() => void revokeBrowser(browser.id)}>
            {words.settingsForm.revoke}
          </button>
        </div>
      </li>
    )
  }
  return (
    <li>
      <span className="truncate grow" title={label}>
        {label}
      </span>
      {browser.isCurrent && <span className="tag">{words.settingsForm.thisOne}</span>}
      <span className="muted small">{words.settingsForm.lastUsed(dayAndTime(browser.usedAtMs, locale))}</span>
      <button type="button" className="btn s" onClick={() => setIsAsking(true)}>
        {words.settingsForm.revoke}
      </button>
    </li>
  )
}

/** What a browser calls itself stays as it is; the command line's key is named by the server. */
function labelOf({ label }: Credential, words: Words): string {
  return label === 'command line' ? words.settingsForm.commandLine : label
}
