/** Whether a message could be typed into an agent's terminal now. The server decides; this saves the person the way there. */

import type { Profile, Readiness } from '../wire/shapes'

export type PromptBlock = 'atWork' | 'asks' | 'limited' | 'notAtPrompt'

/** What stands in the way; null at its prompt. */
export function promptBlock({ state, source }: Pick<Readiness, 'state' | 'source'>): PromptBlock | null {
  // Mere output may be a clock that ticks.
  if (source === 'activity' || source === 'keeper') return 'notAtPrompt'
  switch (state) {
    case 'idle':
      return null
    case 'working':
      return 'atWork'
    case 'waitingPermission':
      return 'asks'
    case 'rateLimited':
      return 'limited'
    default:
      return 'notAtPrompt'
  }
}

/** Would its terminal show that a turn has begun? A shell's does not. */
export function takesPrompts(profile: Profile | undefined, { source }: Pick<Readiness, 'source'>): boolean {
  return profile?.showsWork === true || source === 'terminal'
}
