import { extentOf } from '../../lib/visibleText'
import { Verbatim } from '../../ui/Verbatim'
import { useLocale, useWords } from '../../words/useWords'
import { grouped } from '../../words/words'

const FOLDED_CHARS = 200
const FOLDED_LINES = 4

interface TrustTextProps {
  text: string
  isUnfolded: boolean
  onUnfold: () => void
}

/** What would run: all of it, or its beginning and how much it is. */
export function TrustText({ text, isUnfolded, onUnfold }: TrustTextProps) {
  const words = useWords()
  const locale = useLocale()
  if (isUnfolded) {
    return (
      <code>
        <Verbatim text={text} />
      </code>
    )
  }
  const { lines, chars } = extentOf(text)
  const beginning = text.split('\n', FOLDED_LINES).join('\n').slice(0, FOLDED_CHARS).trimEnd()
  return (
    <div>
      <code>
        <Verbatim text={beginning} />…
      </code>
      <p>
        <button type="button" className="btn s unfold" onClick={onUnfold}>
          {words.text.unfold(lines, grouped(chars, locale))}
        </button>
      </p>
    </div>
  )
}
