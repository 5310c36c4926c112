// @vitest-environment jsdom
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { FakeSocket } from '../testing/fakeSocket'
import { doubt } from './doubt'
import { TerminalLink, type TerminalPhase } from './terminalLink'

const RESET = { type: 'reset', cols: 80, rows: 24, isWhole: true } as const

function setUp() {
  const sockets: FakeSocket[] = []
  const phases: TerminalPhase[] = []
  const link = new TerminalLink({
    projectId: 'p',
    agentId: 'qa',
    credential: 'key',
    isWhole: () => false,
    size: () => ({ cols: 100, rows: 30 }),
    openSocket: () => {
      const socket = new FakeSocket()
      sockets.push(socket)
      // The fake has all that the link uses of a WebSocket.
      return socket as unknown as WebSocket
    },
    listener: { onPhase: (phase) => phases.push(phase), onFrame: () => {}, onBytes: () => {} },
  })
  link.open()
  const socket = () => {
    const last = sockets.at(-1)
    if (last === undefined) throw new Error('no socket was opened')
    return last
  }
  return { socket, sockets, phases, link, type: (text: string) => link.sendKeys(new TextEncoder().encode(text)) }
}

/** What the program got, as pieces in order. */
function typed(socket: FakeSocket): string[] {
  return socket.sent.filter((one) => typeof one !== 'string').map((one) => new TextDecoder().decode(one))
}

describe('the link of a terminal', () => {
  beforeEach(() => {
    vi.useFakeTimers()
    return () => vi.useRealTimers()
  })

  it('keeps what is typed while it attaches, and sends it in order before what comes after', () => {
    const { socket, type } = setUp()

    type('l')
    socket().open()
    type('s\r')
    expect(typed(socket())).toEqual([])
    socket().say(RESET)
    type('pwd\r')

    expect(JSON.parse(String(socket().sent[0]))).toEqual({
      type: 'hello',
      credential: 'key',
      isWhole: false,
      cols: 100,
      rows: 30,
    })
    expect(typed(socket())).toEqual(['l', 's\r', 'pwd\r'])
  })

  it('keeps no more than it can, and nothing after a hole', () => {
    const { socket, type } = setUp()

    type('rm ')
    type('x'.repeat(64 * 1024))
    type('y\r')
    socket().open()
    socket().say(RESET)

    expect(typed(socket())).toEqual(['rm '])
  })

  it('takes no keys between a loss and the next attachment: they were meant for another screen', () => {
    const { socket, phases, type } = setUp()
    socket().open()
    socket().say(RESET)

    socket().drop()
    type('yes\r')
    vi.advanceTimersByTime(1000)
    socket().open()
    type('no\r')
    socket().say(RESET)
    type('ls\r')

    expect(phases).toEqual(['attached', 'lost', 'attached'])
    expect(typed(socket())).toEqual(['ls\r'])
  })

  it('forgets what was typed when it is lost before it was attached', () => {
    const { socket, type } = setUp()
    type('ls\r')

    socket().drop()
    vi.advanceTimersByTime(1000)
    socket().open()
    socket().say(RESET)

    expect(typed(socket())).toEqual([])
  })

  it('sends nothing more into a silence, and takes back what it sent before', () => {
    const { socket, sockets, phases, type } = setUp()
    socket().open()
    socket().say(RESET)

    type('rm ')
    vi.advanceTimersByTime(1000)
    type('-r *\r')
    expect(typed(socket())).toEqual(['rm '])
    expect(socket().sent.at(-1)).toBe('{"type":"ping"}')
    vi.advanceTimersByTime(4000)
    type('yes\r')

    expect(phases).toEqual(['attached', 'silent'])
    expect(sockets[0]?.closedWith).toBe(4410)
    vi.advanceTimersByTime(1000)
    socket().open()
    socket().say(RESET)
    type('ls\r')
    expect(sockets.map(typed)).toEqual([['rm '], ['ls\r']])
  })

  it('sends what was typed meanwhile, in order, to a server that was only slow', () => {
    const { socket, phases, type } = setUp()
    socket().open()
    socket().say(RESET)

    type('l')
    vi.advanceTimersByTime(3000)
    type('s')
    type('\r')
    socket().say({ type: 'pong' })
    type('pwd\r')

    expect(phases).toEqual(['attached'])
    expect(typed(socket())).toEqual(['l', 's', '\r', 'pwd\r'])
  })

  it('asks at once when somebody else waits in vain', () => {
    const { socket, phases } = setUp()
    socket().open()
    socket().say(RESET)

    doubt()
    doubt()
    expect(socket().sent.slice(1)).toEqual(['{"type":"ping"}'])
    vi.advanceTimersByTime(4000)

    expect(phases).toEqual(['attached', 'silent'])
  })

  it('gives up on a server that accepts it and shows nothing', () => {
    const { socket, sockets, phases } = setUp()
    socket().open()

    vi.advanceTimersByTime(11_000)

    expect(phases).toEqual(['silent'])
    expect(sockets).toHaveLength(2)
  })

  it('sends no keys once it is closed', () => {
    const { socket, link, type } = setUp()
    socket().open()
    socket().say(RESET)

    link.close()
    type('ls\r')

    expect(typed(socket())).toEqual([])
  })
})
