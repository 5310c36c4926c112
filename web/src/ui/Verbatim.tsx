import { memo } from 'react'
import { segmentsOf } from '../lib/visibleText'
import { useLocale, useWords } from '../words/useWords'
import { grouped } from '../words/words'

/** A text as it is, so that nothing of it is missed: characters that are not seen are written out, long gaps told. */
export const Verbatim = memo(function Verbatim({ text }: { text: string }) {
  const words = useWords()
  const locale = useLocale()
  return segmentsOf(text).map((segment, index) => {
    if (segment.kind === 'text') return segment.text
    const shown = segment.kind === 'mark' ? segment.text : words.text.gap[segment.of](grouped(segment.count, locale))
    const mark = (
      // biome-ignore lint/suspicious/noArrayIndexKey: its place is what it is known by.
      <mark key={index} className="unseen">
        {shown}
      </mark>
    )
    return segment.kind === 'gap' && segment.of === 'lines' ? ['\n', mark, '\n'] : mark
  })
})
