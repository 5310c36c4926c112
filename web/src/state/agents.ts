/** Every agent of every open project, with what it does now. */

import { createStore } from 'zustand/vanilla'
import type { Agent, LiveTurn, ServerEvent, Snapshot, Tool } from '../wire/shapes'

export type ProjectAgent = Agent & { projectId: string }
export type Agents = ReadonlyMap<string, ProjectAgent>

export const agentStore = createStore<Agents>(() => new Map())

export function agentsOf(snapshot: Snapshot): Agents {
  return new Map(
    snapshot.projects.flatMap(({ id: projectId, agents }) =>
      agents.map((agent): [string, ProjectAgent] => [agent.id, { ...agent, projectId }]),
    ),
  )
}

export function applyToAgents(agents: Agents, event: ServerEvent): Agents {
  switch (event.type) {
    case 'projectOpened': {
      const next = new Map(agents)
      for (const agent of event.project.agents) next.set(agent.id, { ...agent, projectId: event.projectId })
      return next
    }
    case 'projectClosed':
      return new Map([...agents].filter(([, agent]) => agent.projectId !== event.projectId))
    case 'agentSaved':
      return saved(agents, event.projectId, event.agent)
    case 'agentRemoved': {
      const next = new Map(agents)
      next.delete(event.agentId)
      return next
    }
    case 'agentReadinessChanged':
      return changed(agents, event.agentId, { readiness: event.readiness })
    case 'sessionChanged':
      return changed(agents, event.agentId, {
        session: event.session,
        sideSession: event.sideSession,
        lastTerminalId: event.lastTerminalId,
        conversationId: event.conversationId,
      })
    case 'queueChanged':
      return changed(agents, event.agentId, { queue: event.queue, queueLength: event.queueLength })
    default:
      return applyToTurns(agents, event)
  }
}

function applyToTurns(agents: Agents, event: ServerEvent): Agents {
  switch (event.type) {
    case 'turnStarted': {
      const { turnId, requester, ticketId, atMs } = event
      const liveTurn = { turnId, requester, ticketId, startedAtMs: atMs, text: '', tools: [], announcements: [] }
      return changed(agents, event.agentId, { liveTurn })
    }
    case 'turnTextStreamed':
      return inTurn(agents, event.agentId, event.turnId, (turn) => ({ ...turn, text: turn.text + event.text }))
    case 'turnToolChanged':
      return inTurn(agents, event.agentId, event.turnId, (turn) => ({
        ...turn,
        tools: withTool(turn.tools, event.tool),
      }))
    case 'agentAnnouncement': {
      const said = { text: event.text, atMs: event.atMs }
      return inTurn(agents, event.target, event.turnId, (turn) => ({
        ...turn,
        text: '',
        announcements: [...turn.announcements, said],
      }))
    }
    case 'turnEnded':
      return inTurn(agents, event.agentId, event.turnId, () => null)
    default:
      return agents
  }
}

/** For a known agent only the edited fields are news: its turn and queue come with their own events. */
function saved(agents: Agents, projectId: string, agent: Agent): Agents {
  const known = agents.get(agent.id)
  if (known === undefined) return inOrder([...agents.values(), { ...agent, projectId }])
  const next = new Map(agents)
  const { readiness, session, sideSession, lastTerminalId, conversationId, queue, queueLength, liveTurn } = known
  const live = { readiness, session, sideSession, lastTerminalId, conversationId, queue, queueLength, liveTurn }
  return next.set(agent.id, { ...agent, ...live, projectId })
}

/** As a snapshot lists them: in the order in which they were made, with which their ids begin. A new one is the last. */
function inOrder(agents: readonly ProjectAgent[]): Agents {
  const sorted = agents.toSorted((one, other) => (one.id < other.id ? -1 : 1))
  return new Map(sorted.map((agent) => [agent.id, agent]))
}

function changed(agents: Agents, id: string, change: Partial<ProjectAgent>): Agents {
  const agent = agents.get(id)
  // A late event for an agent already removed.
  if (agent === undefined) return agents
  return new Map(agents).set(id, { ...agent, ...change })
}

function inTurn(agents: Agents, id: string, turnId: string, next: (turn: LiveTurn) => LiveTurn | null): Agents {
  const turn = agents.get(id)?.liveTurn
  if (!turn || turn.turnId !== turnId) return agents
  return changed(agents, id, { liveTurn: next(turn) })
}

function withTool(tools: readonly Tool[], tool: Tool): Tool[] {
  const isKnown = tools.some((known) => known.callId === tool.callId)
  return isKnown ? tools.map((known) => (known.callId === tool.callId ? tool : known)) : [...tools, tool]
}
