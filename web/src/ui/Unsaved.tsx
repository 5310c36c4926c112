import { useEffect, useRef } from 'react'

/** The words of the question whether what was written may go. */
export interface UnsavedWords {
  question: string
  keep: string
  discard: string
}

interface UnsavedProps {
  words: UnsavedWords
  onKeep: () => void
  onDiscard: () => void
}

/** Asks at the foot of a dialog that is about to take somebody's writing with it. */
export function Unsaved({ words, onKeep, onDiscard }: UnsavedProps) {
  const keep = useRef<HTMLButtonElement>(null)
  useEffect(() => keep.current?.focus(), [])
  return (
    <footer className="dialog-foot unsaved">
      <div className="start confirm" role="alertdialog" aria-label={words.question}>
        <p className="small strong">{words.question}</p>
        <button ref={keep} type="button" className="btn s quiet" onClick={onKeep}>
          {words.keep}
        </button>
        <button type="button" className="btn s danger" onClick={onDiscard}>
          {words.discard}
        </button>
      </div>
    </footer>
  )
}
