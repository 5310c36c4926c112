import type { ReactNode } from 'react'
import { Boundary, type Fault } from '../ui/Boundary'
import { Notice } from '../ui/Notice'
import { useWords } from '../words/useWords'

interface PartProps {
  children: ReactNode
  /** Beside the way to try it again. */
  actions?: ReactNode
}

/** A part of the page that may fail without the rest: what happened and what to do stands in its place. */
export function Part({ children, actions }: PartProps) {
  return <Boundary fallback={(fault) => <PartFault fault={fault} actions={actions} />}>{children}</Boundary>
}

function PartFault({ fault, actions }: { fault: Fault; actions: ReactNode }) {
  const words = useWords()
  return (
    <Notice tone="danger" icon="x" title={words.fault.part} role="alert">
      <p>{words.fault.partDetail}</p>
      <p className="mono small fault-text">{fault.text}</p>
      <p className="acts">
        <button type="button" className="btn s" onClick={fault.retry}>
          {words.retry}
        </button>
        {actions}
      </p>
    </Notice>
  )
}
