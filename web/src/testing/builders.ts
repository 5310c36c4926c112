/** Values for tests, complete and dull; each test says only what it is about. */

import type { ProjectAgent } from '../state/agents'
import type { ProjectDelegation } from '../state/delegations'
import type { ProjectPermission } from '../state/permissions'
import type { ProjectFacts } from '../state/project'
import type { Item, LiveTurn, Readiness, Session, Snapshot } from '../wire/shapes'

export const NOW = 1_760_000_000_000

export function readiness(change: Partial<Readiness> = {}): Readiness {
  const since = { sinceAtMs: NOW, untilAtMs: null, exitCode: null }
  return { state: 'idle', reason: 'ready', detail: '', fields: {}, source: 'engine', ...since, ...change }
}

export function agent(name: string, change: Partial<ProjectAgent> = {}): ProjectAgent {
  return {
    id: name.toLowerCase(),
    slug: name.toLowerCase(),
    version: 'v1',
    name,
    projectId: 'p',
    profile: 'demo',
    model: null,
    permissions: 'ask',
    capabilities: [],
    allowStructuredAlongsidePty: null,
    workspace: null,
    instructions: '',
    readiness: readiness(),
    session: null,
    sideSession: null,
    lastTerminalId: null,
    conversationId: null,
    queue: [],
    queueLength: 0,
    liveTurn: null,
    ...change,
  }
}

export function session(change: Partial<Session> = {}): Session {
  return { id: 's', kind: 'structured', nodeId: null, conversationId: null, startedAtMs: NOW, ...change }
}

export function liveTurn(change: Partial<LiveTurn> = {}): LiveTurn {
  return {
    turnId: 't',
    requester: { id: 'human', name: 'You', source: 'ui' },
    ticketId: null,
    startedAtMs: NOW,
    text: '',
    tools: [],
    announcements: [],
    ...change,
  }
}

export function delegation(ticketId: string, change: Partial<ProjectDelegation> = {}): ProjectDelegation {
  return {
    ticketId,
    projectId: 'p',
    number: 1,
    requester: { id: 'main', name: 'Main', source: 'mcp' },
    requesterTurnId: 't',
    targetId: 'qa',
    targetName: 'QA',
    message: 'Run the suite',
    depth: 1,
    state: 'running',
    turnId: null,
    askedAtMs: NOW,
    startedAtMs: null,
    settledAtMs: null,
    reply: null,
    outcome: null,
    explanation: null,
    fields: {},
    ...change,
  }
}

export function permission(requestId: string, change: Partial<ProjectPermission> = {}): ProjectPermission {
  return {
    requestId,
    projectId: 'p',
    agentId: 'main',
    turnId: 't',
    tool: 'Bash',
    title: 'Run a command',
    detail: 'npm ci\nmore',
    choices: ['allowOnce', 'deny'],
    askedAtMs: NOW,
    expiresAtMs: NOW + 60_000,
    ...change,
  }
}

export function item(seq: number, change: Partial<Item> = {}): Item {
  return {
    seq,
    agentId: 'main',
    turnId: 't',
    kind: 'answer',
    text: `text ${seq}`,
    atMs: NOW,
    author: 'main',
    ticketId: null,
    tool: null,
    outcome: null,
    fields: {},
    ...change,
  }
}

export function project(change: Partial<ProjectFacts> = {}): ProjectFacts {
  return {
    id: 'p',
    path: '/home/ada/p',
    name: 'p',
    isDemo: false,
    agentsOutliveServer: true,
    trust: { isTrusted: true, hash: 'h', items: [] },
    settings: {
      turnTimeoutS: 300,
      queueWaitS: 900,
      permissionWaitS: 600,
      stalledAfterS: 360,
      keeper: 'process',
      resume: 'offer',
      locale: 'auto',
    },
    layout: { name: 'default', geometry: '', cells: [], version: 'v0' },
    layoutOrigin: '',
    layouts: { current: 'default', entries: [{ name: 'default', sharing: 'own' }], broken: [] },
    resumable: [],
    broken: [],
    ...change,
  }
}

export function snapshot(change: Partial<Snapshot> = {}): Snapshot {
  return { epoch: 'e', seq: 10, version: '0', nowMs: NOW, projects: [], unopened: [], ...change }
}
