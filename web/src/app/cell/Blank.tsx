import type { ReactNode } from 'react'
import { Icon, type IconName } from '../../ui/Icon'
import { Sentence } from '../../ui/Sentence'

interface BlankProps {
  icon: IconName
  title: string
  detail?: string
  /** `h2` where no cell stands around it. */
  heading?: 'h2' | 'h3'
  children?: ReactNode
}

/** A cell's face while there is nothing to show: why, and what to do. */
export function Blank({ icon, title, detail, heading: Heading = 'h3', children }: BlankProps) {
  return (
    <div className="blank">
      <Icon name={icon} size="l" />
      <Heading>{title}</Heading>
      {detail !== undefined && (
        <p>
          <Sentence text={detail} />
        </p>
      )}
      {children !== undefined && <div className="acts">{children}</div>}
    </div>
  )
}
