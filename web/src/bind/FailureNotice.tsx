import type { ReactNode } from 'react'
import { failureText, tailOf } from '../state/failureText'
import { Notice } from '../ui/Notice'
import { Sentence } from '../ui/Sentence'
import type { Failure } from '../wire/outcome'
import { useWords } from '../words/useWords'

interface FailureNoticeProps {
  /** What did not happen. */
  title: string
  failure: Failure
  actions?: ReactNode
}

/** A failed call, near where it was made: what, why, and what to do. */
export function FailureNotice({ title, failure, actions }: FailureNoticeProps) {
  return (
    <Notice tone="danger" icon="x" title={title} role="alert" actions={actions}>
      <FailureDetail failure={failure} />
    </Notice>
  )
}

/** Why, what to do, and what the CLI wrote last. */
export function FailureDetail({ failure }: { failure: Failure }) {
  const words = useWords()
  const tail = tailOf(failure)
  return (
    <>
      <Sentence text={failureText(failure, words)} />
      {tail !== '' && (
        <pre className="tail-text" role="group" aria-label={words.failure.tail}>
          <code>{tail}</code>
        </pre>
      )}
    </>
  )
}
