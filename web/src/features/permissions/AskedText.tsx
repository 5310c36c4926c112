import { condensed } from '../../lib/plainText'
import { useWords } from '../../words/useWords'

const FEW_LINES = 3
const FEW_CHARS = 160
/** What is in sight at once in a small cell, and in the panel. */

/** All of what is asked, with nothing in it that a person could overlook, and its extent where it may have to be scrolled. */
export function AskedText({ text, className }: { text: string; className?: string }) {
  const words = useWords()
  const shown = condensed(text, words.permission.empty)
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it. */}
      <pre className={className} tabIndex={0} role="group" aria-label={words.permission.detail}>
        <code>{shown}</code>
      </pre>
      {!isShort(shown) && (
        <p className="extent soft small">
          {words.permission.extent(shown.split('\n').length, Array.from(shown).length)}
        </p>
      )}
    </>
  )
}

/** It is in sight as a whole wherever it stands. */
export function isShort(shown: string): boolean {
  return shown.length <= FEW_CHARS && shown.split('\n').length <= FEW_LINES
}
