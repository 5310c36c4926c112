import type { ReactNode } from 'react'
import { Icon, type IconName } from '../../ui/Icon'

interface BlankProps {
  icon: IconName
  title: string
  detail?: string
  children?: ReactNode
}

/** A cell's face while there is nothing to show: why, and what to do. */
export function Blank({ icon, title, detail, children }: BlankProps) {
  return (
    <div className="blank">
      <Icon name={icon} size="l" />
      <h2>{title}</h2>
      {detail !== undefined && <p>{detail}</p>}
      {children !== undefined && <div className="acts">{children}</div>}
    </div>
  )
}
