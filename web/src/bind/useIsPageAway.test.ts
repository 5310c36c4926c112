// @vitest-environment jsdom
import { act, renderHook } from '@testing-library/react'
import { beforeEach, expect, it, vi } from 'vitest'
import { AWAY_AFTER_MS, useIsPageAway } from './useIsPageAway'

function turn(visibility: 'visible' | 'hidden'): void {
  Object.defineProperty(document, 'visibilityState', { value: visibility, configurable: true })
  act(() => document.dispatchEvent(new Event('visibilitychange')))
}

beforeEach(() => {
  vi.useFakeTimers()
  turn('visible')
  return () => vi.useRealTimers()
})

it('is away only after a while, and back at once', () => {
  const { result } = renderHook(() => useIsPageAway())
  expect(result.current).toBe(false)

  turn('hidden')
  act(() => vi.advanceTimersByTime(AWAY_AFTER_MS - 1))
  expect(result.current).toBe(false)
  act(() => vi.advanceTimersByTime(1))
  expect(result.current).toBe(true)

  turn('visible')
  expect(result.current).toBe(false)
})

it('counts anew after each look', () => {
  const { result } = renderHook(() => useIsPageAway())

  turn('hidden')
  act(() => vi.advanceTimersByTime(AWAY_AFTER_MS - 1))
  turn('visible')
  turn('hidden')
  act(() => vi.advanceTimersByTime(AWAY_AFTER_MS - 1))

  expect(result.current).toBe(false)
})
