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
  const { language, text } = code
  const html = useColoured(text, isGrowing ? '' : language)
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

interface Coloured {
  text: string
  language: string
  /** Null for a language that is not known. */
  html: string | null
}

/** Null until it is coloured, and for what is not: no language, or too long. */
function useColoured(text: string, language: string): string | null {
  const [coloured, setColoured] = useState<Coloured | null>(null)
  useEffect(() => {
    if (language === '' || text.length > MOST_CHARS) return
    let isCurrent = true
    import('./highlight').then(
      ({ highlight }) => isCurrent && setColoured({ text, language, html: highlight(text, language) }),
      // Without colours it reads as well.
      () => undefined,
    )
    return () => {
      isCurrent = false
    }
  }, [text, language])
  // What was coloured last may be other code.
  return coloured?.text === text && coloured.language === language ? coloured.html : null
}
