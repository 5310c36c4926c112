import { extentOf } from '../../lib/visibleText'
import { plainText, shownText } from '../../terminal/plainText'
import { Verbatim } from '../../ui/Verbatim'
import { useWords } from '../../words/useWords'

/** A text that is about to be copied or typed: all of it, its extent, and what is left out of it. */
export function ShownText({ text }: { text: string }) {
  const words = useWords()
  const shown = shownText(text)
  const { lines } = extentOf(shown.text)
  return (
    <>
      <section className="term-text" aria-label={words.terminal.wholeText}>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard. */}
        <pre tabIndex={0}>
          <Verbatim text={shown.text} />
        </pre>
      </section>
      <p className="small">
        {words.terminal.extent(lines, Array.from(plainText(text)).length)}
        {shown.dropped > 0 && ` ${words.terminal.dropped(shown.dropped)}`}
      </p>
    </>
  )
}
