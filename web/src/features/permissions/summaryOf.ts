import type { Need } from '../../state/needsYou'
import type { Words } from '../../words/en'

/** What is asked, in one line. */
export function summaryOf(need: Need, words: Words): string {
  switch (need.kind) {
    case 'permission':
      return firstLine(need.permission.detail) || need.permission.title
    case 'stalled':
      return words.needs.stalled
    case 'limited':
      return words.needs.limited
    case 'trust':
      return words.needs.trustItems(need.project.trust.items.length)
    default:
      return need satisfies never
  }
}

export function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? ''
}
