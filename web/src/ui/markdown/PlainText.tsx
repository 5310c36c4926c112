import { useState } from 'react'
import { useLocale, useWords } from '../../words/useWords'

const MOST_CHARS = 50_000
/** A browser needs seconds to lay out millions of them, and nobody asked for that yet. */

/** What is no Markdown, or too much of it: as it was written, the rest of it on demand. */
export function PlainText({ text }: { text: string }) {
  const words = useWords()
  const locale = useLocale()
  const [isWhole, setIsWhole] = useState(false)
  const rest = text.length - MOST_CHARS
  return (
    <>
      <p className="md plain">{isWhole || rest <= 0 ? text : text.slice(0, MOST_CHARS)}</p>
      {!isWhole && rest > 0 && (
        <button type="button" className="btn s" onClick={() => setIsWhole(true)}>
          {words.chat.showRest(rest.toLocaleString(locale))}
        </button>
      )}
    </>
  )
}
