import { Dialog as Primitive } from 'radix-ui'
import { type ReactNode, useRef } from 'react'
import { IconButton } from './IconButton'

interface DialogProps {
  title: string
  lead?: ReactNode
  closeLabel: string
  onClose: () => void
  isWide?: boolean
  children: ReactNode
}

/** Modal; Escape and a click outside close it. Mount it to open it. */
export function Dialog({ title, lead, closeLabel, onClose, isWide = false, children }: DialogProps) {
  const content = useRef<HTMLDivElement>(null)
  const focusFirst = (event: Event) => {
    event.preventDefault()
    const first = content.current?.querySelector<HTMLElement>('input, select, textarea')
    ;(first ?? content.current)?.focus()
  }
  return (
    <Primitive.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Primitive.Portal>
        <Primitive.Overlay className="scrim" />
        <Primitive.Content
          ref={content}
          tabIndex={-1}
          onOpenAutoFocus={focusFirst}
          className={isWide ? 'dialog wide' : 'dialog'}
          {...(lead === undefined ? { 'aria-describedby': undefined } : {})}
        >
          <header className="dialog-head">
            <Primitive.Title className="dialog-title">{title}</Primitive.Title>
            <IconButton icon="x" label={closeLabel} onClick={onClose} />
          </header>
          {lead !== undefined && <Primitive.Description className="dialog-lead">{lead}</Primitive.Description>}
          {children}
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  )
}
