/** What two layouts have in common whatever the size of the window: splits, proportions, order of tabs. */

interface Branch {
  kind: 'branch'
  share: number
  children: Shape[]
}

interface Leaf {
  kind: 'leaf'
  share: number
  views: string[]
}

export type Shape = Branch | Leaf

const TOLERANCE = 0.03
/** Rounding to whole pixels and least sizes move a proportion by less than this in another window. */

/** Null for text that is no grid: the caller starts anew. */
export function shapeOf(geometry: string): Shape | null {
  try {
    const parsed: unknown = JSON.parse(geometry)
    return nodeShape(field(field(parsed, 'grid'), 'root'), 1)
  } catch {
    return null
  }
}

export function isSameShape(a: Shape | null, b: Shape | null): boolean {
  if (a === null || b === null) return a === b
  if (Math.abs(a.share - b.share) > TOLERANCE) return false
  if (a.kind === 'leaf') return b.kind === 'leaf' && a.views.join('\n') === b.views.join('\n')
  if (b.kind === 'leaf' || a.children.length !== b.children.length) return false
  return a.children.every((child, index) => isSameShape(child, b.children[index] ?? null))
}

function nodeShape(node: unknown, share: number): Shape | null {
  const content = field(node, 'data')
  if (field(node, 'type') === 'leaf') {
    const views = field(content, 'views')
    return { kind: 'leaf', share, views: Array.isArray(views) ? views.map(String) : [] }
  }
  if (!Array.isArray(content)) return null
  const nodes: unknown[] = content
  const total = nodes.reduce<number>((sum, child) => sum + size(child), 0)
  const children = nodes.map((child) => nodeShape(child, total === 0 ? 0 : size(child) / total))
  const known = children.filter((child) => child !== null)
  return known.length === children.length ? { kind: 'branch', share, children: known } : null
}

function size(node: unknown): number {
  const value = field(node, 'size')
  return typeof value === 'number' ? value : 0
}

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
}
