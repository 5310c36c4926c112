import type { ReactNode } from 'react'
import type { Tone } from './Glyph'
import { Icon, type IconName } from './Icon'

interface NoticeProps {
  tone: Tone
  icon: IconName
  title?: string
  children?: ReactNode
  actions?: ReactNode
  /** `alert` interrupts, `status` waits, none is read in place. */
  role?: 'alert' | 'status'
}

/** Something that happened: what, why, and what to do about it. */
export function Notice({ tone, icon, title, children, actions, role }: NoticeProps) {
  return (
    <div className={`notice is-${tone}`} role={role}>
      <Icon name={icon} />
      <div className="grow">
        {title !== undefined && <b className="strong">{title}</b>}
        {children !== undefined && <div className={title === undefined ? undefined : 'soft'}>{children}</div>}
      </div>
      {actions}
    </div>
  )
}
