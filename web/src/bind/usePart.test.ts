// @vitest-environment jsdom
import { act, renderHook } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { OFFLINE, UNANSWERED } from '../wire/outcome'
import { PATIENCE_MS, usePart } from './usePart'

it('has the part once it is there', async () => {
  const load = async () => 'the part'
  const { result } = renderHook(() => usePart(load))
  expect(result.current).toEqual({ part: null, arrival: 'awaited' })

  await vi.waitFor(() => expect(result.current).toEqual({ part: 'the part', arrival: 'there' }))
})

it('says that it did not come', async () => {
  const load = () => Promise.reject(new TypeError('Failed to fetch dynamically imported module'))
  const { result } = renderHook(() => usePart(load))

  await vi.waitFor(() => expect(result.current.arrival).toBe(OFFLINE))
})

it('does not wait for ever', async () => {
  vi.useFakeTimers()
  const load = () => new Promise<string>(() => {})
  const { result } = renderHook(() => usePart(load))

  await act(() => vi.advanceTimersByTimeAsync(PATIENCE_MS))
  expect(result.current.arrival).toBe(UNANSWERED)
  vi.useRealTimers()
})
