import { useCallback, useEffect, useState } from 'react'
import { FailureNotice } from '../../bind/FailureNotice'
import { CopyButton } from '../../ui/CopyButton'
import { api } from '../../wire/api'
import type { Failure } from '../../wire/outcome'
import type { Credential } from '../../wire/shapes'
import { useLocale, useWords } from '../../words/useWords'
import { dayAndTime } from '../../words/words'

/** Which browsers have a key to IdeA; each can be taken away, and a new link be made. */
export function Browsers() {
  const words = useWords()
  const locale = useLocale()
  const [browsers, setBrowsers] = useState<readonly Credential[]>([])
  const [link, setLink] = useState<string | null>(null)
  const [failure, setFailure] = useState<Failure | null>(null)
  const load = useCallback(() => {
    void api.credentials().then((result) => (result.ok ? setBrowsers(result.value) : setFailure(result.failure)))
  }, [])
  useEffect(load, [load])
  const revoke = async (id: string) => {
    const result = await api.revoke(id)
    if (result.ok) load()
    else setFailure(result.failure)
  }
  const makeLink = async () => {
    const result = await api.newLink()
    if (result.ok) setLink(result.value.url)
    else setFailure(result.failure)
  }
  return (
    <section className="browsers" aria-label={words.settingsForm.browsers}>
      <h3 className="form-label">{words.settingsForm.browsers}</h3>
      <ul>
        {browsers.map((browser) => (
          <li key={browser.id}>
            <span className="truncate grow" title={browser.label}>
              {browser.label}
            </span>
            {browser.isCurrent && <span className="tag">{words.settingsForm.thisOne}</span>}
            <span className="muted small">{words.settingsForm.lastUsed(dayAndTime(browser.usedAtMs, locale))}</span>
            <button type="button" className="btn s" onClick={() => void revoke(browser.id)}>
              {words.settingsForm.revoke}
            </button>
          </li>
        ))}
      </ul>
      <p className="inline-field">
        <button type="button" className="btn s" onClick={() => void makeLink()}>
          {words.settingsForm.newLink}
        </button>
        <span className="form-hint">{words.settingsForm.linkHint}</span>
      </p>
      {link !== null && (
        <p className="get">
          <code className="truncate">{link}</code>
          <CopyButton text={link} label={words.copy} copiedLabel={words.copied} />
        </p>
      )}
      {failure !== null && <FailureNotice title={words.settingsForm.notRevoked} failure={failure} />}
    </section>
  )
}
