/** `fetch` that ends: with its answer, without a server, or because the server has not answered for too long. */

import { doubt } from './doubt'

export const CALL_MS = 30_000
/** What the server does at once, on a machine that is busy with agents. */
export const LONG_CALL_MS = 300_000
/** What waits for a CLI to start or to end, several of them one after the other. */
const HESITATION_MS = 2000
/** After this long the sockets ask whether the server still answers at all: their silence ends the call too. */

/** No answer came, though the server was reached: what was asked for may have been done, or be done later. */
export class Unanswered extends Error {}

const open = new Set<AbortController>()

/** Ends every call that waits: nobody answers any more. */
export function abandonCalls(): void {
  for (const call of [...open]) call.abort(new Unanswered())
}

/** Rejects with `Unanswered`, or as `fetch` does. The answer is there with its whole body. */
export async function boundedFetch(request: Request, withinMs: number): Promise<Response> {
  const call = new AbortController()
  const hesitation = setTimeout(doubt, HESITATION_MS)
  const limit = setTimeout(() => call.abort(new Unanswered()), withinMs)
  open.add(call)
  try {
    return await Promise.race([answerTo(request, call.signal), aborted(call.signal)])
  } finally {
    clearTimeout(hesitation)
    clearTimeout(limit)
    open.delete(call)
  }
}

async function answerTo(request: Request, signal: AbortSignal): Promise<Response> {
  // Looked up at each call: what wraps `fetch` later counts too.
  const response = await globalThis.fetch(request, { signal })
  await response.clone().arrayBuffer()
  return response
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
}
