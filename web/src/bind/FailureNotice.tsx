import type { ReactNode } from 'react'
import { Notice } from '../ui/Notice'
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
  const words = useWords()
  const isOffline = failure.code === 'OFFLINE'
  const message = isOffline ? words.connection.offline : failure.message
  const advice = isOffline ? words.connection.offlineAdvice : failure.advice
  return (
    <Notice tone="danger" icon="x" title={title} role="alert" actions={actions}>
      {[message, advice].filter(Boolean).join(' ')}
    </Notice>
  )
}
