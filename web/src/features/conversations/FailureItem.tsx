import { FailureDetail } from '../../bind/FailureNotice'
import { failureOfItem, stopperOf } from '../../state/failureText'
import { Notice } from '../../ui/Notice'
import type { Item } from '../../wire/shapes'
import { useWords } from '../../words/useWords'
import { LimitCard } from './LimitCard'
import { SendAgain } from './SendAgain'

/** A turn that ended without an answer. What was ended on purpose is no alarm. */
export function FailureItem({ item }: { item: Item }) {
  const words = useWords()
  const failure = failureOfItem(item)
  const again = item.fields.given === false ? <SendAgain failure={item} /> : null
  if (failure.code === 'TARGET_RATE_LIMITED') {
    return <LimitCard untilMs={failure.fields.untilMs} atMs={item.atMs} actions={again} />
  }
  const stopper = stopperOf(failure)
  if (stopper !== null) {
    return (
      <Notice tone="idle" icon="minus" title={words.chat.turnStopped[stopper]} actions={again}>
        {again !== null && words.chat.neverGot}
      </Notice>
    )
  }
  return (
    <Notice tone="danger" icon="x" title={words.chat.turnFailed} actions={again}>
      <FailureDetail failure={failure} />
    </Notice>
  )
}
