import type { ReactNode } from 'react'
import { limitText } from '../../state/limitText'
import { Glyph } from '../../ui/Glyph'
import { useLocale, useWords } from '../../words/useWords'

interface LimitCardProps {
  /** As the record has it: epoch milliseconds, else unknown. */
  untilMs: unknown
  /** When the turn ended. */
  atMs: number
  actions?: ReactNode
}

/** A turn that its CLI refused because of a usage limit: until when, if it said so. */
export function LimitCard({ untilMs, atMs, actions }: LimitCardProps) {
  const words = useWords()
  const locale = useLocale()
  const until = typeof untilMs === 'number' ? untilMs : null
  return (
    <section className="notice is-limited" aria-label={words.chat.limit}>
      <Glyph name="limited" tone="limited" />
      <div className="grow">
        <b className="strong">{limitText(until, atMs, words, locale)}</b>
        <div className="soft">{until === null ? words.chat.limitUnknownDetail : words.chat.limitDetail}</div>
      </div>
      {actions}
    </section>
  )
}
