import { describe, expect, it } from 'vitest'
import { agent, delegation, liveTurn, NOW } from '../testing/builders'
import { activeAsk, previewFor } from './overlay'

const HUMAN = { id: 'human', name: 'You', source: 'ui' } as const

function asks(...all: ReturnType<typeof delegation>[]) {
  return new Map(all.map((one) => [one.ticketId, one]))
}

describe('the sheet over a target', () => {
  it('shows the ask that runs', () => {
    const running = delegation('d1')

    expect(activeAsk(agent('QA'), asks(delegation('d0', { state: 'answered' }), running))).toBe(running)
  })

  it('stays between two asks, and leaves after the last', () => {
    const next = delegation('d2', { state: 'queued' })

    expect(activeAsk(agent('QA'), asks(delegation('d1', { state: 'answered' }), next))).toBe(next)
    expect(activeAsk(agent('QA'), asks(delegation('d1', { state: 'failed' })))).toBeNull()
  })

  it('is not there while an ask waits behind the person', () => {
    const busy = agent('QA', { liveTurn: liveTurn({ requester: HUMAN }) })

    expect(activeAsk(busy, asks(delegation('d1', { state: 'queued' })))).toBeNull()
  })

  it('is not there for what the person asked', () => {
    expect(activeAsk(agent('QA'), asks(delegation('d1', { requester: HUMAN })))).toBeNull()
  })
})

describe('the preview of a requester', () => {
  const qa = agent('QA', {
    liveTurn: liveTurn({ ticketId: 'd1', announcements: [{ text: 'running 212 tests', atMs: NOW }] }),
  })
  const agents = new Map([['qa', qa]])

  it('shows the newest announcement of its own ask', () => {
    expect(previewFor('main', asks(delegation('d1')), agents)).toMatchObject({
      targetName: 'QA',
      text: 'running 212 tests',
    })
  })

  it('shows nothing of an ask with another ticket', () => {
    expect(previewFor('main', asks(delegation('d2')), agents)?.text).toBeNull()
    expect(previewFor('architect', asks(delegation('d1')), agents)).toBeNull()
  })

  it('shows what waits in the queue and where, as long as nobody works on another ask', () => {
    const requester = { id: 'main', name: 'Main', source: 'mcp' } as const
    const waits = { turnId: 'q', position: 2, requester, ticketId: 'd2', preview: 'run', sinceAtMs: NOW }
    const busy = new Map([['qa', agent('QA', { queue: [waits], queueLength: 2 })]])
    const queued = delegation('d2', { state: 'queued', message: 'run the tests' })

    expect(previewFor('main', asks(queued), busy)).toMatchObject({ queued: 'run the tests', place: 2 })
    expect(previewFor('main', asks(queued), agents)).toMatchObject({ queued: 'run the tests', place: null })
    expect(previewFor('main', asks(delegation('d1'), queued), busy)).toMatchObject({ ticketId: 'd1', queued: null })
  })

  it('vanishes when the ask is settled', () => {
    expect(previewFor('main', asks(delegation('d1', { state: 'answered' })), agents)).toBeNull()
  })
})
