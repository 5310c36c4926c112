import { Dialog as Primitive } from 'radix-ui'
import { type ReactNode, useRef, useState } from 'react'
import { findOpener, focusAgain } from './focus'
import { IconButton } from './IconButton'
import { Unsaved, type UnsavedWords } from './Unsaved'

interface DialogProps {
  title: string
  lead?: ReactNode
  closeLabel: string
  onClose: () => void
  isWide?: boolean
  /** Something was written that closing would take along: then Escape and a click beside it ask first. */
  unsaved?: UnsavedWords | null
  children: ReactNode
}

/** Modal; Escape and a click outside close it, and the focus goes back to where it was. Mount it to open it. */
export function Dialog({ title, lead, closeLabel, onClose, isWide = false, unsaved = null, children }: DialogProps) {
  const content = useRef<HTMLDivElement>(null)
  // Looked for before the dialog is there: then it has the focus itself.
  const [opener] = useState(findOpener)
  const [isAsking, setIsAsking] = useState(false)
  const focusBefore = useRef<Element | null>(null)
  const keep = () => {
    setIsAsking(false)
    if (focusBefore.current instanceof HTMLElement) focusBefore.current.focus()
  }
  const leave = () => {
    // The second Escape is for the question.
    if (isAsking) return keep()
    if (unsaved === null) return onClose()
    focusBefore.current = document.activeElement
    setIsAsking(true)
  }
  const focusFirst = (event: Event) => {
    event.preventDefault()
    const first = content.current?.querySelector<HTMLElement>('input, select, textarea')
    ;(first ?? content.current)?.focus()
  }
  const giveBack = (event: Event) => {
    event.preventDefault()
    focusAgain(opener)
  }
  return (
    <Primitive.Root open onOpenChange={(isOpen) => !isOpen && leave()}>
      <Primitive.Portal>
        <Primitive.Overlay className="scrim" />
        <Primitive.Content
          ref={content}
          tabIndex={-1}
          onOpenAutoFocus={focusFirst}
          onCloseAutoFocus={giveBack}
          className={isWide ? 'dialog wide' : 'dialog'}
          {...(lead === undefined ? { 'aria-describedby': undefined } : {})}
        >
          <header className="dialog-head">
            <Primitive.Title className="dialog-title">{title}</Primitive.Title>
            <IconButton icon="x" label={closeLabel} onClick={leave} />
          </header>
          {lead !== undefined && <Primitive.Description className="dialog-lead">{lead}</Primitive.Description>}
          {children}
          {isAsking && unsaved !== null && <Unsaved words={unsaved} onKeep={keep} onDiscard={onClose} />}
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  )
}

/** The body of a dialog that is only read: it scrolls when it is long, so the keyboard must reach it. */
export function DialogText({ label, children }: { label: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: nothing in it takes the focus.
    <section className="dialog-body" tabIndex={0} aria-label={label}>
      {children}
    </section>
  )
}
