import { Tooltip } from 'radix-ui'
import { type PointerEvent, type ReactNode, useState } from 'react'

interface RevealProps {
  /** What the word stands for, at length. */
  text: ReactNode
  className: string
  testId?: string
  children: ReactNode
}

/** A word that says more while it is pointed at or has the focus, and when it is pressed: a finger does not point. */
export function Reveal({ text, className, testId, children }: RevealProps) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <Tooltip.Root open={isOpen} onOpenChange={setIsOpen}>
      <Tooltip.Trigger asChild>
        <button
          type="button"
          className={`reveal ${className}`}
          data-testid={testId}
          // Left to itself a tip closes when what it explains is pressed.
          onPointerDown={(event: PointerEvent) => event.preventDefault()}
          onClick={(event) => {
            event.preventDefault()
            setIsOpen(true)
          }}
        >
          {children}
        </button>
      </Tooltip.Trigger>
      <Tooltip.Portal>
        <Tooltip.Content className="tip-box" side="bottom" sideOffset={4} collisionPadding={8}>
          {text}
        </Tooltip.Content>
      </Tooltip.Portal>
    </Tooltip.Root>
  )
}
