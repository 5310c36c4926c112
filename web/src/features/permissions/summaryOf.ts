import { firstLine } from '../../lib/firstLine'
import { calm, visible } from '../../lib/visibleText'
import type { ProjectAgent } from '../../state/agents'
import type { Need } from '../../state/needsYou'
import type { Words } from '../../words/en'

/** What is asked, in one line. */
export function summaryOf(need: Need, words: Words): string {
  switch (need.kind) {
    case 'permission':
      return visible(firstLine(need.permission.detail) || firstLine(need.permission.title))
    case 'terminal':
      return withDetail(need.agent.readiness, words)
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

/** What the agent waits for, in a sentence without its name. */
export function asksInTerminal({ reason }: ProjectAgent['readiness'], words: Words): string {
  switch (reason) {
    case 'trustAsked':
      return words.needs.trustFolder
    case 'setupAsked':
      return words.needs.setUp
    case 'permissionAsked':
      return words.needs.allowThere
    default:
      return words.needs.answerThere
  }
}

function withDetail(readiness: ProjectAgent['readiness'], words: Words): string {
  const asked = asksInTerminal(readiness, words)
  // Its folder is the project's; the words of a dialog add nothing.
  const isPlain = readiness.detail === '' || readiness.reason === 'trustAsked'
  return isPlain ? asked : words.reasonWith(asked, calm(readiness.detail))
}
