/** Who speaks to an agent, and what the agents that it asked are saying: derived from asks and running turns. */

import type { LiveTurn } from '../wire/shapes'
import type { Agents, ProjectAgent } from './agents'
import { type Delegations, isOpen, type ProjectDelegation } from './delegations'
import { isPerson } from './person'

/**
 * The ask that `agent` works on for somebody, or the next in its queue between two of them.
 * Null while it is free or works for the person: a person's own ask is no agent talking to it.
 */
export function activeAsk(agent: ProjectAgent, delegations: Delegations): ProjectDelegation | null {
  const open = [...delegations.values()].filter(
    (one) => one.targetId === agent.id && isOpen(one) && !isPerson(one.requester.id),
  )
  const running = open.find((one) => one.state === 'running')
  if (running !== undefined) return running
  const { liveTurn } = agent
  const isBusyOtherwise = liveTurn !== null && liveTurn.ticketId === null
  return isBusyOtherwise ? null : (open.sort((a, b) => a.askedAtMs - b.askedAtMs)[0] ?? null)
}

/** What the target announced in the turn of this ask, oldest first. */
export function announcementsOf(ask: ProjectDelegation, target: ProjectAgent): LiveTurn['announcements'] {
  const turn = target.liveTurn
  return turn?.ticketId === ask.ticketId ? turn.announcements : []
}

export interface Preview {
  ticketId: string
  number: number
  targetId: string
  targetName: string
  /** The newest announcement; null while the target has said nothing. */
  text: string | null
  /** What was asked, while it waits in the target's queue; else null. */
  queued: string | null
  /** Its place there, from 1; null where it is so far behind that nobody tells. */
  place: number | null
}

/** The newest word from the agents that `agentId` waits for, else what one of them works on; null when it waits for none. */
export function previewFor(agentId: string, delegations: Delegations, agents: Agents): Preview | null {
  let newest: { preview: Preview; atMs: number } | null = null
  for (const ask of delegations.values()) {
    if (ask.requester.id !== agentId || !isOpen(ask)) continue
    const one = previewOf(ask, agents.get(ask.targetId))
    if (newest === null || newest.atMs <= one.atMs) newest = one
  }
  return newest?.preview ?? null
}

/** `atMs`: of what was said; before all that while nothing was, and earlier still while it waits. */
function previewOf(ask: ProjectDelegation, target: ProjectAgent | undefined): { preview: Preview; atMs: number } {
  const { ticketId, number, targetId, targetName } = ask
  const known = { ticketId, number, targetId, targetName }
  if (ask.state === 'queued') {
    const place = target?.queue.find((turn) => turn.ticketId === ticketId)?.position ?? null
    return { preview: { ...known, text: null, queued: ask.message, place }, atMs: -1 }
  }
  const said = target === undefined ? undefined : announcementsOf(ask, target).at(-1)
  return { preview: { ...known, text: said?.text ?? null, queued: null, place: null }, atMs: said?.atMs ?? 0 }
}
