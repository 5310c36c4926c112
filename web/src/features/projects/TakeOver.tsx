import type { Failure } from '../../wire/outcome'
import { useLocale, useWords } from '../../words/useWords'
import { dayAndTime } from '../../words/words'

interface TakeOverProps {
  failure: Failure
  isBusy: boolean
  onAgree: (holder: string) => void
}

/** Another server has the project: what ending it means, and the button that agrees to end exactly that one. */
export function TakeOver({ failure, isBusy, onAgree }: TakeOverProps) {
  const words = useWords()
  const locale = useLocale()
  const { holder, sinceMs } = failure.fields
  if (typeof holder !== 'string' || typeof sinceMs !== 'number') return null
  return (
    <div className="inline-field">
      <p className="form-hint grow">{words.project.takeOverDetail(dayAndTime(sinceMs, locale))}</p>
      <button type="button" className="btn s danger" disabled={isBusy} onClick={() => onAgree(holder)}>
        {words.project.takeOver}
      </button>
    </div>
  )
}
