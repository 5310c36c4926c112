import { DropdownMenu } from 'radix-ui'
import { type ReactElement, type ReactNode, type RefObject, useId } from 'react'
import { Icon, type IconName } from './Icon'

interface MenuProps {
  /** The button that opens it. */
  trigger: ReactElement
  align?: 'start' | 'end'
  /** With what opens it besides its button: whether it is open, and what had the focus before. */
  opened?: { isOpen: boolean; onOpenChange: (willOpen: boolean) => void; from: RefObject<HTMLElement | null> }
  children: ReactNode
}

export function Menu({ trigger, align = 'start', opened, children }: MenuProps) {
  const giveBack = (event: Event) => {
    if (keepMovedFocus(event)) return
    if (opened?.from.current?.isConnected !== true) return
    event.preventDefault()
    opened.from.current.focus()
  }
  return (
    // Not modal: that would hide the whole page from screen readers for the sake of a list.
    <DropdownMenu.Root
      modal={false}
      {...(opened === undefined ? {} : { open: opened.isOpen, onOpenChange: opened.onOpenChange })}
    >
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          className="pop menu"
          align={align}
          sideOffset={4}
          collisionPadding={8}
          onCloseAutoFocus={giveBack}
        >
          {children}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  )
}

/** The focus goes back to the button, unless what was chosen took it elsewhere; true if it did. */
function keepMovedFocus(event: Event): boolean {
  const isElsewhere = document.activeElement !== null && document.activeElement !== document.body
  if (isElsewhere) event.preventDefault()
  return isElsewhere
}

interface MenuItemProps {
  onSelect: () => void
  icon?: IconName
  children: ReactNode
  /** Below it in small: what it brings about. */
  detail?: string
  isDisabled?: boolean
  isDanger?: boolean
  /** What is chosen now. */
  isCurrent?: boolean
}

export function MenuItem({
  onSelect,
  icon,
  children,
  detail = '',
  isDisabled = false,
  isDanger = false,
  isCurrent = false,
}: MenuItemProps) {
  const id = useId()
  // What is read is named: who speaks to the machine says what they see.
  const named = { 'aria-labelledby': `${id}-label ${id}-detail` }
  return (
    <DropdownMenu.Item
      {...(detail === '' ? {} : named)}
      className={`row${isDanger ? ' danger' : ''}${isCurrent ? ' on' : ''}`}
      aria-current={isCurrent ? 'true' : undefined}
      disabled={isDisabled}
      onSelect={onSelect}
    >
      {icon !== undefined && <Icon name={icon} />}
      {detail === '' ? (
        children
      ) : (
        <span className="stacked">
          <span id={`${id}-label`}>{children}</span>
          <span id={`${id}-detail`} className="muted small">
            {detail}
          </span>
        </span>
      )}
    </DropdownMenu.Item>
  )
}

interface MenuChoiceProps {
  value: string
  choices: readonly { value: string; label: ReactNode }[]
  onChoose: (value: string) => void
}

/** One of several, the present one marked. */
export function MenuChoice({ value, choices, onChoose }: MenuChoiceProps) {
  return (
    <DropdownMenu.RadioGroup value={value} onValueChange={onChoose}>
      {choices.map((choice) => (
        <DropdownMenu.RadioItem key={choice.value} className="row" value={choice.value}>
          <span className="tick">
            <DropdownMenu.ItemIndicator>
              <Icon name="check" size="s" />
            </DropdownMenu.ItemIndicator>
          </span>
          {choice.label}
        </DropdownMenu.RadioItem>
      ))}
    </DropdownMenu.RadioGroup>
  )
}

/** Something to read between the entries. */
export function MenuLabel({ children }: { children: ReactNode }) {
  return <DropdownMenu.Label className="menu-label">{children}</DropdownMenu.Label>
}

export function MenuRule() {
  return <DropdownMenu.Separator className="menu-rule" />
}

/** An item that opens further choices beside it. */
export function SubMenu({ label, children }: { label: ReactNode; children: ReactNode }) {
  return (
    <DropdownMenu.Sub>
      <DropdownMenu.SubTrigger className="row">
        {label}
        <Icon name="right" size="s" />
      </DropdownMenu.SubTrigger>
      <DropdownMenu.Portal>
        <DropdownMenu.SubContent className="pop menu" sideOffset={2} collisionPadding={8}>
          {children}
        </DropdownMenu.SubContent>
      </DropdownMenu.Portal>
    </DropdownMenu.Sub>
  )
}
