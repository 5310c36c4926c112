import type { Tool } from '../../wire/shapes'

/** The delegation's card says more than the call that made it; a call that failed has no card. */
export function isAsk(tool: Tool): boolean {
  return /(^|_)idea_ask_agent$/.test(tool.tool) && tool.phase !== 'failed'
}
