import { useState } from 'react'
import type { Offer } from '../../terminal/clipboardOffers'
import type { TerminalHands } from '../../terminal/TerminalHands'
import { Notice } from '../../ui/Notice'
import { useWords } from '../../words/useWords'
import { ShownText } from './ShownText'

/** What a program wants in the clipboard. Nothing is copied that cannot be seen here. */
export function OfferNotice({ hands, offer }: { hands: TerminalHands; offer: Offer }) {
  const words = useWords()
  const [isRefused, setIsRefused] = useState(false)
  const dismiss = (
    <button type="button" className="btn s" onClick={() => hands.dropOffer()}>
      {words.dismiss}
    </button>
  )
  if (offer.kind === 'tooLong') {
    return (
      <Notice tone="idle" icon="copy" role="status" title={words.terminal.offerTooLong} actions={dismiss}>
        {words.terminal.offerTooLongDetail}
      </Notice>
    )
  }
  return (
    <Notice tone="idle" icon="copy" role="status" title={words.terminal.offers}>
      <ShownText text={offer.text} />
      {isRefused && <p>{words.terminal.notCopied}</p>}
      <div className="acts">
        <button
          type="button"
          className="btn s primary"
          onClick={() => void hands.takeOffer().then((isCopied) => setIsRefused(!isCopied))}
        >
          {words.copy}
        </button>
        {dismiss}
      </div>
    </Notice>
  )
}
