import { type ReactNode, useState } from 'react'
import { Boundary, type Fault } from '../../ui/Boundary'
import { Notice } from '../../ui/Notice'
import { useWords } from '../../words/useWords'

/** Around each part of a conversation: one that cannot be drawn says so, and can be read as it was written. */
export function ItemBoundary({ text, children }: { text: string; children: ReactNode }) {
  return <Boundary fallback={(fault) => <ItemFault text={text} fault={fault} />}>{children}</Boundary>
}

function ItemFault({ text, fault }: { text: string; fault: Fault }) {
  const words = useWords()
  const [isPlain, setIsPlain] = useState(false)
  return (
    <div className="item">
      <Notice tone="danger" icon="x" title={words.fault.item}>
        <p className="mono small fault-text">{fault.text}</p>
        <p className="acts">
          <button type="button" className="btn s" onClick={fault.retry}>
            {words.retry}
          </button>
          {text !== '' && !isPlain && (
            <button type="button" className="btn s" onClick={() => setIsPlain(true)}>
              {words.fault.showPlain}
            </button>
          )}
        </p>
      </Notice>
      {isPlain && <p className="md plain">{text}</p>}
    </div>
  )
}
