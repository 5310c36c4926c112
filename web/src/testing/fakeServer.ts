/** The server's side of HTTP for component tests: records what arrives, answers one thing to all. */

import { expect, vi } from 'vitest'

export interface Sent {
  method: string
  path: string
  body: unknown
}

/** From now on every call is answered so; the returned list grows with what was sent. */
export function answerWith(body: unknown, status = 200): Sent[] {
  const sent: Sent[] = []
  vi.stubGlobal('fetch', async (request: Request) => {
    sent.push(await recordOf(request))
    return responseOf(body, status)
  })
  return sent
}

/** Each call waits for its answer: `answer` gives the oldest one that waits, or the next to come. */
export function answerInTurn(): { sent: Sent[]; answer: (body: unknown, status?: number) => Promise<void> } {
  const sent: Sent[] = []
  const waiting: ((response: Response) => void)[] = []
  vi.stubGlobal('fetch', async (request: Request) => {
    sent.push(await recordOf(request))
    return new Promise<Response>((resolve) => waiting.push(resolve))
  })
  const answer = async (body: unknown, status = 200) => {
    await vi.waitFor(() => expect(waiting).not.toEqual([]))
    waiting.shift()?.(responseOf(body, status))
  }
  return { sent, answer }
}

async function recordOf(request: Request): Promise<Sent> {
  const text = await request.text()
  const { pathname } = new URL(request.url)
  return { method: request.method, path: pathname, body: text === '' ? null : JSON.parse(text) }
}

function responseOf(body: unknown, status: number): Response {
  return new Response(JSON.stringify(body), { status, headers: { 'Content-Type': 'application/json' } })
}

export function sentTo(sent: readonly Sent[], end: string): unknown[] {
  return sent.filter((one) => one.path.endsWith(end)).map((one) => one.body)
}
