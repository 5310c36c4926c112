import { beforeEach, describe, expect, it, vi } from 'vitest'
import { NOW, snapshot } from '../testing/builders'
import { FakeSocket } from '../testing/fakeSocket'
import { Link, type LinkPhase } from './link'
import type { ServerEvent, Snapshot } from './shapes'

const NOTICE = {
  type: 'noticePosted',
  projectId: 'p',
  number: 1,
  code: 'fileTrouble',
  detail: '',
  slug: null,
  fields: {},
} as const

function setUp({ isInSight = true } = {}) {
  const sockets: FakeSocket[] = []
  const phases: LinkPhase[] = []
  const snapshots: Snapshot[] = []
  const events: ServerEvent[] = []
  const link = new Link({
    url: 'ws://here/api/events',
    credential: 'key',
    now: () => NOW,
    isInSight: () => isInSight,
    openSocket: () => {
      const socket = new FakeSocket()
      sockets.push(socket)
      // The fake has all that the link uses of a WebSocket.
      return socket as unknown as WebSocket
    },
    listener: {
      onPhase: (phase) => phases.push(phase),
      onSnapshot: (one) => snapshots.push(one),
      onEvent: (event) => events.push(event),
      onCredentials: () => {},
    },
  })
  link.open()
  const socket = () => {
    const last = sockets.at(-1)
    if (last === undefined) throw new Error('no socket was opened')
    return last
  }
  return { link, sockets, phases, snapshots, events, socket }
}

describe('the link', () => {
  beforeEach(() => {
    vi.useFakeTimers()
    return () => vi.useRealTimers()
  })

  it('says hello without a past, and takes the snapshot', () => {
    const { socket, snapshots, phases } = setUp()

    socket().open()
    socket().say({ type: 'snapshot', snapshot: snapshot() })

    expect(JSON.parse(String(socket().sent[0]))).toEqual({ type: 'hello', credential: 'key', epoch: null, seq: null })
    expect(snapshots).toHaveLength(1)
    expect(phases.at(-1)).toEqual({ name: 'online' })
  })

  it('comes back by itself with what it has, and takes no event twice', () => {
    const { socket, sockets, events, phases } = setUp()
    socket().open()
    socket().say({ type: 'snapshot', snapshot: snapshot() })
    socket().say({ type: 'event', event: { ...NOTICE, seq: 11 } })

    socket().drop()
    expect(phases.at(-1)).toMatchObject({ name: 'lost', sinceMs: NOW })
    vi.advanceTimersByTime(1000)
    socket().open()
    socket().say({ type: 'caughtUp', epoch: 'e', seq: 12 })
    socket().say({ type: 'event', event: { ...NOTICE, seq: 11 } })
    socket().say({ type: 'event', event: { ...NOTICE, seq: 12 } })

    expect(sockets).toHaveLength(2)
    expect(JSON.parse(String(socket().sent[0]))).toMatchObject({ epoch: 'e', seq: 11 })
    expect(events.map((event) => event.seq)).toEqual([11, 12])
    expect(phases.at(-1)).toEqual({ name: 'online' })
  })

  it('goes on after what it does not understand', () => {
    const { socket, events, phases } = setUp()
    socket().open()
    socket().sayText('{')
    socket().sayText('{"type":"later","event":null}')
    socket().sayText('{"type":"event"}')
    socket().say({ type: 'snapshot', snapshot: snapshot() })
    socket().say({ type: 'event', event: { ...NOTICE, seq: 11 } })

    expect(phases.at(-1)).toEqual({ name: 'online' })
    expect(events).toHaveLength(1)
  })

  it('waits longer each time, and not at all when told to retry', () => {
    const { link, socket, sockets } = setUp()
    socket().drop()
    vi.advanceTimersByTime(1000)
    socket().drop()
    vi.advanceTimersByTime(400)
    expect(sockets).toHaveLength(2)

    link.retryNow()

    expect(sockets).toHaveLength(3)
  })

  it('does not come back when the credential is refused', () => {
    const { socket, sockets, phases } = setUp()

    socket().drop(4401)
    vi.advanceTimersByTime(60_000)

    expect(sockets).toHaveLength(1)
    expect(phases.at(-1)).toEqual({ name: 'refused' })
  })

  it('gives up on a server that says nothing', () => {
    const { socket, phases } = setUp()
    socket().open()

    vi.advanceTimersByTime(10_000)

    expect(phases.at(-1)).toMatchObject({ name: 'lost', why: 'silent' })
  })

  it('finds out within some seconds that a server has fallen silent, and comes back when it answers', () => {
    const { socket, sockets, phases } = setUp()
    socket().open()
    socket().say({ type: 'snapshot', snapshot: snapshot() })

    vi.advanceTimersByTime(8000)
    expect(socket().sent.at(-1)).toBe('{"type":"ping"}')
    socket().say({ type: 'pong' })
    vi.advanceTimersByTime(12_000)

    expect(phases.at(-1)).toMatchObject({ name: 'lost', why: 'silent', sinceMs: NOW })
    expect(sockets[0]?.closedWith).toBe(4410)
    vi.advanceTimersByTime(1000)
    socket().open()
    socket().say({ type: 'caughtUp', epoch: 'e', seq: 10 })
    expect(phases.at(-1)).toEqual({ name: 'online' })
  })

  it('asks nothing where much is heard, or nobody looks', () => {
    const busy = setUp()
    const hidden = setUp({ isInSight: false })
    for (const { socket } of [busy, hidden]) {
      socket().open()
      socket().say({ type: 'snapshot', snapshot: snapshot() })
    }

    for (let seq = 11; seq < 20; seq += 1) {
      vi.advanceTimersByTime(5000)
      busy.socket().say({ type: 'event', event: { ...NOTICE, seq } })
    }

    expect(busy.socket().sent).toHaveLength(1)
    expect(hidden.socket().sent).toHaveLength(1)
  })

  it('says that its server was stopped', () => {
    const { socket, phases } = setUp()
    socket().open()
    socket().say({ type: 'snapshot', snapshot: snapshot() })

    socket().drop(1012)

    expect(phases.at(-1)).toMatchObject({ name: 'lost', why: 'ended' })
  })
})
