/** How a call ended: its answer, or a failure that a person can act on. Nothing is thrown past this edge. */

export interface Failure {
  /**
   * A code of the outcome table; `OFFLINE` when the server was not reached, `UNANSWERED` when it was and fell silent,
   * `UNREADABLE` when its answer is none that this page knows.
   */
  code: string
  message: string
  advice: string
  fields: Readonly<Record<string, unknown>>
}

/** Where an answer that is to be shown stands; a failure until it is asked for again. */
export type Arrival = 'awaited' | 'there' | Failure

export type Outcome<T> = { ok: true; value: T } | { ok: false; failure: Failure }

export const OFFLINE: Failure = { code: 'OFFLINE', message: '', advice: '', fields: {} }
export const UNANSWERED: Failure = { code: 'UNANSWERED', message: '', advice: '', fields: {} }
/** Another version's, or that of something between page and server. */
export const UNREADABLE: Failure = { code: 'UNREADABLE', message: '', advice: '', fields: {} }

export function arrivalOf(result: Outcome<unknown>): Arrival {
  return result.ok ? 'there' : result.failure
}

export function isFailure(arrival: Arrival): arrival is Failure {
  return typeof arrival === 'object'
}

/** The connection says the same for all such calls. */
export function isUnreached({ code }: Failure): boolean {
  return code === OFFLINE.code || code === UNANSWERED.code
}

/** What the page itself no longer knows. */
export const GONE: Failure = { code: 'NOT_FOUND', message: '', advice: '', fields: {} }

/** Any error body; what is no `WireError` (a proxy's page, an old server) still becomes a failure. */
export function failureOf(body: unknown, status: number): Failure {
  if (typeof body === 'object' && body !== null && 'code' in body && typeof body.code === 'string') {
    const { code } = body
    return {
      code,
      message: 'message' in body && typeof body.message === 'string' ? body.message : code,
      advice: 'advice' in body && typeof body.advice === 'string' ? body.advice : '',
      fields:
        'fields' in body && typeof body.fields === 'object' && body.fields !== null
          ? (body.fields as Record<string, unknown>)
          : {},
    }
  }
  return { code: 'INTERNAL', message: `HTTP ${status}`, advice: '', fields: {} }
}
