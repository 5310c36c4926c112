import { useEffect, useState } from 'react'
import { useWords } from '../../words/useWords'
import { CopyButton } from '../CopyButton'
import { Icon } from '../Icon'
import type { Code } from './renderMarkdown'

const MOST_CHARS = 40_000
/** Longer code is shown plain: colouring it would hold up the page. */

/** Code with its name and a copy button; coloured once the highlighter has arrived and the code is complete. */
export function CodeFigure({ code, isGrowing }: { code: Code; isGrowing: boolean }) {
  const words = useWords()
  const [html, setHtml] = useState<string | null>(null)
  const { language, text } = code
  useEffect(() => {
    setHtml(null)
    if (isGrowing || language === '' || text.length > MOST_CHARS) return
    let isCurrent = true
    import('./highlight').then(
      ({ highlight }) => isCurrent && setHtml(highlight(text, language)),
      // Without colours it reads as well.
      () => undefined,
    )
    return () => {
      isCurrent = false
    }
  }, [text, language, isGrowing])
  return (
    <figure className="code">
      <figcaption className="code-head">
        <Icon name="file" size="s" />
        <span className="mono truncate">{code.title || language || words.chat.code}</span>
        <CopyButton text={text} label={words.copyCode} copiedLabel={words.copied} />
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it. */}
      <pre tabIndex={0} role="group" aria-label={words.chat.code}>
        {html === null ? (
          <code>{text}</code>
        ) : (
          // biome-ignore lint/security/noDangerouslySetInnerHtml: the highlighter escapes what it colours.
          <code dangerouslySetInnerHTML={{ __html: html }} />
        )}
      </pre>
    </figure>
  )
}
