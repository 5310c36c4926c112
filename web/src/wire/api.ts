/** Every HTTP call of the page, typed from the API's description; each ends in an `Outcome`. */

import createClient from 'openapi-fetch'
import { browserLabel } from '../lib/browserLabel'
import { boundedFetch, CALL_MS, LONG_CALL_MS, Unanswered } from './boundedFetch'
import { forgetCredential, loadCredential, saveCredential } from './credential'
import { type Failure, failureOf, OFFLINE, type Outcome, UNANSWERED, UNREADABLE } from './outcome'
import type { AgentFields, Decision, LayoutContent, Opening, SaveAgent, Settings, View } from './shapes'
import type { paths } from './types.gen'

/** Called when the server no longer knows our credential. */
type OnRefused = () => void

const client = createClient<paths>({ baseUrl: location.origin, fetch: (request) => boundedFetch(request, CALL_MS) })
/** For a call that waits until a CLI has started or ended. */
const long = { fetch: (request: Request) => boundedFetch(request, LONG_CALL_MS) }
let onRefused: OnRefused = () => {}

client.use({
  onRequest({ request }) {
    const credential = loadCredential()
    if (credential !== null) request.headers.set('Authorization', `Bearer ${credential}`)
    return request
  },
  onResponse({ response, schemaPath }) {
    // A start code that is refused says nothing about the credential that this browser has.
    if (response.status !== 401 || schemaPath === '/api/session') return
    forgetCredential()
    onRefused()
  },
})

export function whenRefused(callback: OnRefused): void {
  onRefused = callback
}

interface Answer<T> {
  data?: T
  error?: unknown
  response: Response
}

/** Of a call that is answered with something; `isReadable` where what it holds is walked through without further looks. */
async function outcome<T>(
  call: Promise<Answer<T>>,
  isReadable: (value: unknown) => boolean = isObject,
): Promise<Outcome<T>> {
  const answer = await arrived(call)
  if ('code' in answer) return { ok: false, failure: answer }
  const { data, error, response } = answer
  if (!response.ok) return { ok: false, failure: failureOf(error, response.status) }
  if (data === undefined || !isReadable(data)) return { ok: false, failure: UNREADABLE }
  return { ok: true, value: data }
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null
}

function hasItems(value: unknown): boolean {
  return isObject(value) && Array.isArray((value as { items?: unknown }).items)
}

/** Of a call whose whole answer is that it was done. */
async function done(call: Promise<Answer<unknown>>): Promise<Outcome<null>> {
  const answer = await arrived(call)
  if ('code' in answer) return { ok: false, failure: answer }
  const { error, response } = answer
  return response.ok ? { ok: true, value: null } : { ok: false, failure: failureOf(error, response.status) }
}

async function arrived<A>(call: Promise<A>): Promise<A | Failure> {
  try {
    return await call
  } catch (why) {
    if (why instanceof Unanswered) return UNANSWERED
    // Otherwise fetch rejects only when no answer came at all.
    return why instanceof Error && why.name === 'SyntaxError' ? UNREADABLE : OFFLINE
  }
}

export interface AgentRef {
  project: string
  agent: string
}

/** Exchanges a start code for this browser's credential and keeps it. */
export async function exchangeStartCode(code: string): Promise<Outcome<unknown>> {
  const label = browserLabel(navigator.userAgent)
  const result = await outcome(client.POST('/api/session', { body: { code, label } }))
  if (result.ok) saveCredential(result.value.credential)
  return result
}

export const api = {
  openProject: (path: string, takeOver: string | null) =>
    outcome(client.POST('/api/projects', { body: { path, takeOver }, ...long })),
  closeProject: (project: string) =>
    done(client.DELETE('/api/projects/{project}', { params: { path: { project } }, ...long })),
  dismissNotice: (project: string, number: number) =>
    done(client.DELETE('/api/projects/{project}/notices/{number}', { params: { path: { project, number } } })),
  profiles: (project: string) =>
    outcome(client.GET('/api/projects/{project}/profiles', { params: { path: { project } } }), Array.isArray),
  approve: (project: string, hash: string) =>
    outcome(client.POST('/api/projects/{project}/trust', { params: { path: { project } }, body: { hash }, ...long })),
  saveSettings: (project: string, settings: Settings) =>
    outcome(client.PUT('/api/projects/{project}/settings', { params: { path: { project } }, body: settings })),
  /** `base`: the version that was changed. */
  saveLayout: (project: string, layout: LayoutContent, base: string, origin: string) =>
    outcome(
      client.PUT('/api/projects/{project}/layout', { params: { path: { project } }, body: { layout, base, origin } }),
    ),
  createLayout: (project: string, name: string, origin: string) =>
    done(client.POST('/api/projects/{project}/layouts', { params: { path: { project } }, body: { name, origin } })),
  renameLayout: (project: string, name: string, next: string, origin: string) =>
    done(
      client.POST('/api/projects/{project}/layouts/{name}/rename', {
        params: { path: { project, name } },
        body: { name: next, origin },
      }),
    ),
  actOnLayout: (act: 'show' | 'share' | 'unshare' | 'take', project: string, name: string, origin: string) =>
    done(
      client.POST(`/api/projects/{project}/layouts/{name}/${act}`, {
        params: { path: { project, name } },
        body: { origin },
      }),
    ),
  deleteLayout: (project: string, name: string) =>
    done(client.DELETE('/api/projects/{project}/layouts/{name}', { params: { path: { project, name } } })),
  resumeAgents: (project: string, agents: string[]) =>
    outcome(
      client.POST('/api/projects/{project}/resumable/resume', {
        params: { path: { project } },
        body: { agents },
        ...long,
      }),
      Array.isArray,
    ),
  dismissResumable: (project: string) =>
    done(
      client.POST('/api/projects/{project}/resumable/dismiss', {
        params: { path: { project } },
        body: { agents: null },
      }),
    ),
  createAgent: (project: string, fields: AgentFields) =>
    outcome(client.POST('/api/projects/{project}/agents', { params: { path: { project } }, body: fields })),
  saveAgent: (path: AgentRef, fields: SaveAgent) =>
    outcome(client.PUT('/api/projects/{project}/agents/{agent}', { params: { path }, body: fields })),
  deleteAgent: (path: AgentRef) =>
    done(client.DELETE('/api/projects/{project}/agents/{agent}', { params: { path }, ...long })),
  conversation: (path: AgentRef, query: { before?: number; limit?: number }) =>
    outcome(client.GET('/api/projects/{project}/agents/{agent}/conversation', { params: { path, query } }), hasItems),
  /** The turns that wait behind position `after`; `limit` is at most 500. */
  queue: (path: AgentRef, query: { after: number; limit: number }) =>
    outcome(client.GET('/api/projects/{project}/agents/{agent}/queue', { params: { path, query } }), Array.isArray),
  /** Under the same id it is one message, however often it is sent. */
  sendMessage: (path: AgentRef, body: { message: string; messageId: string }) =>
    outcome(client.POST('/api/projects/{project}/agents/{agent}/messages', { params: { path }, body })),
  typePrompt: (path: AgentRef, text: string) =>
    done(client.POST('/api/projects/{project}/agents/{agent}/terminal/prompt', { params: { path }, body: { text } })),
  launch: (path: AgentRef, body: { nodeId: string | null; view: View; isReattach: boolean; opening: Opening }) =>
    outcome(client.POST('/api/projects/{project}/agents/{agent}/launch', { params: { path }, body, ...long })),
  switchView: (path: AgentRef, body: { nodeId: string; view: View }) =>
    outcome(client.POST('/api/projects/{project}/agents/{agent}/switch', { params: { path }, body, ...long })),
  earlier: (path: AgentRef) =>
    outcome(client.GET('/api/projects/{project}/agents/{agent}/conversations', { params: { path } }), Array.isArray),
  attach: (path: AgentRef, body: { conversationId: string; nodeId: string | null; view: View }) =>
    done(client.POST('/api/projects/{project}/agents/{agent}/conversation', { params: { path }, body, ...long })),
  stop: (path: AgentRef) =>
    outcome(client.POST('/api/projects/{project}/agents/{agent}/stop', { params: { path }, ...long })),
  interrupt: (path: AgentRef, turnId: string) =>
    done(client.POST('/api/projects/{project}/agents/{agent}/interrupt', { params: { path }, body: { turnId } })),
  /** Answers with the message that waited. */
  cancel: (path: AgentRef, turnId: string) =>
    outcome(client.POST('/api/projects/{project}/agents/{agent}/cancel', { params: { path }, body: { turnId } })),
  detach: (path: AgentRef, nodeId: string) =>
    done(client.POST('/api/projects/{project}/agents/{agent}/detach', { params: { path }, body: { nodeId } })),
  decide: (path: AgentRef, requestId: string, decision: Decision) =>
    done(
      client.POST('/api/projects/{project}/agents/{agent}/permissions/{request_id}', {
        params: { path: { ...path, request_id: requestId } },
        body: { decision },
      }),
    ),
  credentials: () => outcome(client.GET('/api/credentials'), Array.isArray),
  revoke: (credential: string) =>
    done(client.DELETE('/api/credentials/{credential}', { params: { path: { credential } } })),
  newLink: () => outcome(client.POST('/api/link')),
}
