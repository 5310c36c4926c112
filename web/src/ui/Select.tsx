import type { ComponentProps } from 'react'
import { Icon } from './Icon'

/** The browser's own list behind a field that looks like the others. */
export function Select(props: Omit<ComponentProps<'select'>, 'className'>) {
  return (
    <span className="select">
      <select {...props} className="field" />
      <Icon name="down" />
    </span>
  )
}
