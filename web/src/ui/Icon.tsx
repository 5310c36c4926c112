export type IconName =
  | 'mark'
  | 'branch'
  | 'flag'
  | 'grid'
  | 'settings'
  | 'help'
  | 'down'
  | 'chevron-up'
  | 'right'
  | 'left'
  | 'arrow'
  | 'up'
  | 'plus'
  | 'minus'
  | 'x'
  | 'check'
  | 'more'
  | 'max'
  | 'chat'
  | 'term'
  | 'copy'
  | 'file'
  | 'pencil'
  | 'ask'
  | 'bell'
  | 'clock'
  | 'play'
  | 'lock'
  | 'shield'
  | 'globe'
  | 'theme'
  | 'folder'
  | 'open'
  | 'list'
  | 'search'
  | 'down-load'
  | 'link'

/** Decoration: what it means is said by the text or label beside it. Sizes 14 (s), 16, 20 (l). */
export function Icon({ name, size }: { name: IconName; size?: 's' | 'l' }) {
  return (
    <svg className={size === undefined ? 'i' : `i ${size}`} aria-hidden="true">
      <use href={`#i-${name}`} />
    </svg>
  )
}
