import { type Arrival, isFailure } from '../wire/outcome'
import { useWords } from '../words/useWords'
import { FailureNotice } from './FailureNotice'

interface AwaitedProps {
  arrival: Arrival
  /** What is not there. */
  title: string
  /** Asks for it again. */
  onRetry: () => void
  /** Where asking again is more than that. */
  retryLabel?: string
}

/** In place of what is asked of the server: that it is on its way, or why it did not come and a way to ask again. */
export function Awaited({ arrival, title, onRetry, retryLabel }: AwaitedProps) {
  const words = useWords()
  if (arrival === 'there') return null
  if (!isFailure(arrival)) {
    return (
      <p className="muted small" role="status">
        {words.loading}
      </p>
    )
  }
  return (
    <FailureNotice
      title={title}
      failure={arrival}
      actions={
        <button type="button" className="btn s" onClick={onRetry}>
          {retryLabel ?? words.retry}
        </button>
      }
    />
  )
}
