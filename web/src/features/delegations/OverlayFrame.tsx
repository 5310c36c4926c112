import type { ReactNode } from 'react'
import type { ProjectDelegation } from '../../state/delegations'
import { useWords } from '../../words/useWords'
import { OverlayHead } from './OverlayHead'

interface OverlayFrameProps {
  ask: ProjectDelegation
  /** A sheet covers a terminal and can be hidden; a strip takes its own place. */
  form: 'sheet' | 'ask-strip'
  onHide?: () => void
  children?: ReactNode
}

/** Says that an agent talks to this one, in either form. */
export function OverlayFrame({ ask, form, onHide, children }: OverlayFrameProps) {
  const words = useWords()
  return (
    <div
      className={`${form} is-working`}
      role="group"
      aria-label={words.overlay.title}
      data-testid="overlay"
      data-ticket={ask.ticketId}
    >
      <OverlayHead ask={ask} {...(onHide === undefined ? {} : { onHide })} />
      {children}
    </div>
  )
}
