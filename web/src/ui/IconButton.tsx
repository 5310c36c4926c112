import { Tooltip } from 'radix-ui'
import type { ComponentProps } from 'react'
import { Icon, type IconName } from './Icon'

interface IconButtonProps extends Omit<ComponentProps<'button'>, 'aria-label' | 'children' | 'type'> {
  icon: IconName
  label: string
  size?: 's' | 'l'
}

/** A button without a word: its label is spoken, and shown while pointed at. */
export function IconButton({ icon, label, size, className = 'ib', ...rest }: IconButtonProps) {
  return (
    <Tooltip.Root>
      <Tooltip.Trigger asChild>
        <button type="button" className={className} aria-label={label} {...rest}>
          <Icon name={icon} {...(size === undefined ? {} : { size })} />
        </button>
      </Tooltip.Trigger>
      <Tooltip.Portal>
        <Tooltip.Content className="tip-box" sideOffset={4} collisionPadding={8}>
          {label}
        </Tooltip.Content>
      </Tooltip.Portal>
    </Tooltip.Root>
  )
}
