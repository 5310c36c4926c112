import type { Tool } from '../../wire/shapes'

/** What a tool works on, without its name, which stands beside it; empty where its line says no more. */
export function aboutOf({ tool, summary }: Pick<Tool, 'tool' | 'summary'>): string {
  const rest = summary.startsWith(tool) ? summary.slice(tool.length) : summary
  // Part of a longer word is no name.
  return rest !== summary && /^[\p{L}\p{N}_]/u.test(rest) ? summary : rest.replace(/^:?\s+/, '')
}
