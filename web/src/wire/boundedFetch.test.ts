// @vitest-environment jsdom
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { api } from './api'
import { abandonCalls } from './boundedFetch'
import { whenDoubted } from './doubt'

const QA = { project: 'p', agent: 'qa' }

/** A server that takes everything and answers nothing; the page's own end of a call still ends it. */
function fallSilent(): void {
  vi.stubGlobal('fetch', () => new Promise(() => {}))
}

describe('a call that nobody answers', () => {
  beforeEach(() => {
    vi.useFakeTimers()
    fallSilent()
    return () => vi.useRealTimers()
  })

  it('ends after half a minute, and one that starts an agent after minutes', async () => {
    const ended: string[] = []
    const message = api.sendMessage(QA, { message: 'hello', messageId: 'm' }).then(() => ended.push('message'))
    const body = { nodeId: null, view: 'chat', isReattach: false, opening: 'resume' } as const
    const launch = api.launch(QA, body).then(() => ended.push('launch'))

    await vi.advanceTimersByTimeAsync(30_000)
    await message
    expect(ended).toEqual(['message'])
    await vi.advanceTimersByTimeAsync(300_000)
    await launch

    expect(ended).toEqual(['message', 'launch'])
  })

  it('lets the sockets ask, and ends with them', async () => {
    let doubts = 0
    const stop = whenDoubted(() => {
      doubts += 1
    })
    const call = api.stop(QA)

    await vi.advanceTimersByTimeAsync(2000)
    expect(doubts).toBe(1)
    abandonCalls()

    expect(await call).toMatchObject({ ok: false, failure: { code: 'UNANSWERED' } })
    stop()
  })
})
