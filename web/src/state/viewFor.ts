/** Which view shows an agent: its session decides; without one the wish, as far as its CLI has that view. */

import type { Profile, View } from '../wire/shapes'
import type { ProjectAgent } from './agents'
import { profileStore } from './profiles'

export function viewFor(agent: ProjectAgent, wished: View): View {
  if (agent.session !== null) return agent.session.kind === 'pty' ? 'terminal' : 'chat'
  return possibleView(profileOf(agent), wished)
}

/** A CLI that is not known yet may have both. */
export function possibleView(profile: Profile | undefined, wished: View): View {
  if (profile?.canChat === false) return 'terminal'
  return profile?.canTerminal === false ? 'chat' : wished
}

function profileOf(agent: ProjectAgent): Profile | undefined {
  const found = profileStore.getState().get(agent.projectId)
  return found?.list.find((one) => one.id === agent.profile)
}
