import { useEffect } from 'react'
import { useStore } from 'zustand'
import { Awaited } from '../../bind/Awaited'
import { FailureNotice } from '../../bind/FailureNotice'
import { browserStore, listBrowsers, lookAtBrowsers, makeLink } from '../../state/browsers'
import { CopyButton } from '../../ui/CopyButton'
import { useWords } from '../../words/useWords'
import { BrowserRow } from './BrowserRow'

/** Which browsers have a key to IdeA; each can be taken away, and a new link be made. */
export function Browsers() {
  const words = useWords()
  const { list, arrival, link, trouble } = useStore(browserStore)
  useEffect(lookAtBrowsers, [])
  return (
    <section className="browsers" aria-label={words.settingsForm.browsers}>
      <h3 className="form-label">{words.settingsForm.browsers}</h3>
      <Awaited arrival={arrival} title={words.settingsForm.notListed} onRetry={() => void listBrowsers()} />
      <ul>
        {list.map((browser) => (
          <BrowserRow key={browser.id} browser={browser} />
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
          <code className="truncate" title={link}>
            {link}
          </code>
          <CopyButton text={link} label={words.copy} copiedLabel={words.copied} />
        </p>
      )}
      {trouble !== null && <FailureNotice title={words.settingsForm[trouble.what]} failure={trouble.failure} />}
    </section>
  )
}
