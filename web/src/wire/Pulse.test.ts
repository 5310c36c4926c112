import { beforeEach, describe, expect, it, vi } from 'vitest'
import { Pulse } from './Pulse'

function setUp() {
  const seen: string[] = []
  const clock = { leap: 0 }
  const pulse = new Pulse({
    ask: () => seen.push('asked'),
    onSilence: () => seen.push('silence'),
    now: () => Date.now() + clock.leap,
  })
  return { pulse, seen, clock }
}

describe('the pulse of a connection', () => {
  beforeEach(() => {
    vi.useFakeTimers()
    return () => vi.useRealTimers()
  })

  it('asks nothing while what is due comes by itself', () => {
    const { pulse, seen } = setUp()

    for (let key = 0; key < 20; key += 1) {
      pulse.expect()
      vi.advanceTimersByTime(500)
      pulse.heard()
    }
    vi.advanceTimersByTime(60_000)

    expect(seen).toEqual([])
  })

  it('asks for what is due, doubts meanwhile, and tells the silence once', () => {
    const { pulse, seen } = setUp()

    pulse.expect()
    expect(pulse.isDoubtful).toBe(false)
    vi.advanceTimersByTime(1000)
    expect(seen).toEqual(['asked'])
    expect(pulse.isDoubtful).toBe(true)
    vi.advanceTimersByTime(3999)
    expect(seen).toEqual(['asked'])
    vi.advanceTimersByTime(60_000)

    expect(seen).toEqual(['asked', 'silence'])
  })

  it('is content with any sign of life', () => {
    const { pulse, seen } = setUp()

    pulse.ask()
    vi.advanceTimersByTime(3000)
    pulse.heard()
    vi.advanceTimersByTime(60_000)

    expect(seen).toEqual(['asked'])
    expect(pulse.isDoubtful).toBe(false)
  })

  it('asks again after a sleep instead of believing a late clock', () => {
    const { pulse, seen, clock } = setUp()

    pulse.ask()
    clock.leap = 3_600_000
    vi.advanceTimersByTime(4000)
    expect(seen).toEqual(['asked', 'asked'])
    vi.advanceTimersByTime(4000)

    expect(seen).toEqual(['asked', 'asked', 'silence'])
  })
})
