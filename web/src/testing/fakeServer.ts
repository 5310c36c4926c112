/** The server's side of HTTP for component tests: records what arrives, answers one thing to all. */

import { vi } from 'vitest'

export interface Sent {
  method: string
  path: string
  body: unknown
}

/** From now on every call is answered so; the returned list grows with what was sent. */
export function answerWith(body: unknown, status = 200): Sent[] {
  const sent: Sent[] = []
  vi.stubGlobal('fetch', async (request: Request) => {
    const text = await request.text()
    const { pathname } = new URL(request.url)
    sent.push({ method: request.method, path: pathname, body: text === '' ? null : JSON.parse(text) })
    return new Response(JSON.stringify(body), { status, headers: { 'Content-Type': 'application/json' } })
  })
  return sent
}

export function sentTo(sent: readonly Sent[], end: string): unknown[] {
  return sent.filter((one) => one.path.endsWith(end)).map((one) => one.body)
}
