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
  /** The newest announcement, or null while the target has said nothing. */
  text: string | null
  /** The name of the agent down there that waits for a person. */
  waits: string | null
}

const MOST_DEPTH = 16
/** Asks form no circles; what is told late may look like one. */

/** Who of those that an ask keeps at work waits for a person's permission: its target, or whom that one asked in turn. */
export function whoWaitsForYou(
  ask: ProjectDelegation,
  delegations: Delegations,
  agents: Agents,
  depth = 0,
): string | null {
  if (ask.state !== 'running' || depth > MOST_DEPTH) return null
  const target = agents.get(ask.targetId)
  if (target === undefined) return null
  if (target.readiness.state === 'waitingPermission') return target.name
  for (const next of delegations.values()) {
    const waits = next.requester.id === ask.targetId ? whoWaitsForYou(next, delegations, agents, depth + 1) : null
    if (waits !== null) return waits
  }
  return null
}

/** The newest word from the agents that `agentId` waits for; null when it waits for none. */
export function previewFor(agentId: string, delegations: Delegations, agents: Agents): Preview | null {
  let newest: { preview: Preview; atMs: number } | null = null
  for (const ask of delegations.values()) {
    if (ask.requester.id !== agentId || !isOpen(ask)) continue
    const target = agents.get(ask.targetId)
    const said = target === undefined ? undefined : announcementsOf(ask, target).at(-1)
    const atMs = said?.atMs ?? 0
    if (newest !== null && newest.atMs > atMs) continue
    const { ticketId, number, targetId, targetName } = ask
    const waits = whoWaitsForYou(ask, delegations, agents)
    newest = { preview: { ticketId, number, targetId, targetName, text: said?.text ?? null, waits }, atMs }
  }
  return newest?.preview ?? null
}
