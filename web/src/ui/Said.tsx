import { useState } from 'react'
import { calm } from '../lib/visibleText'
import { useLocale, useWords } from '../words/useWords'
import { grouped } from '../words/words'

const MOST_CHARS = 20_000
/** A text that is longer is seldom read whole. */

/** A plain text of an agent, as long as it is read in passing; the rest on demand. */
export function Said({ text }: { text: string }) {
  const words = useWords()
  const locale = useLocale()
  const [isAll, setIsAll] = useState(false)
  if (isAll || text.length <= MOST_CHARS) return calm(text)
  return (
    <>
      {calm(text.slice(0, MOST_CHARS))}…{' '}
      <button type="button" className="btn s" onClick={() => setIsAll(true)}>
        {words.chat.showRest(grouped(text.length - MOST_CHARS, locale))}
      </button>
    </>
  )
}
