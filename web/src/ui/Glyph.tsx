export type GlyphName =
  | 'working'
  | 'working-for'
  | 'idle'
  | 'starting'
  | 'needs-you'
  | 'limited'
  | 'stalled'
  | 'restarting'
  | 'exited'

/** The colour class that repeats what the glyph's shape says. */
export type Tone =
  | 'working'
  | 'starting'
  | 'restarting'
  | 'idle'
  | 'limited'
  | 'needs-you'
  | 'stalled'
  | 'exited'
  | 'danger'

interface GlyphProps {
  name: GlyphName
  tone: Tone
  isLive?: boolean
  isLarge?: boolean
}

/** A state's shape, 12 px. The word stands beside it, so it is hidden from screen readers. */
export function Glyph({ name, tone, isLive = false, isLarge = false }: GlyphProps) {
  const motion = name === 'restarting' ? ' turning' : isLive ? ' live' : ''
  return (
    <svg className={`g is-${tone}${motion}${isLarge ? ' l' : ''}`} aria-hidden="true">
      <use href={`#g-${name}`} />
    </svg>
  )
}
