import { Tooltip } from 'radix-ui'
import type { ReactElement, ReactNode } from 'react'

/** More about the element it wraps, shown while it is pointed at or focused. */
export function Tip({ text, children, side }: { text: ReactNode; children: ReactElement; side?: 'right' | 'bottom' }) {
  return (
    <Tooltip.Root>
      <Tooltip.Trigger asChild>{children}</Tooltip.Trigger>
      <Tooltip.Portal>
        <Tooltip.Content className="tip-box" side={side ?? 'bottom'} sideOffset={4} collisionPadding={8}>
          {text}
        </Tooltip.Content>
      </Tooltip.Portal>
    </Tooltip.Root>
  )
}
