// @vitest-environment jsdom
import { act, renderHook } from '@testing-library/react'
import { beforeEach, expect, it, vi } from 'vitest'

let isDark = false
let tell = new Set<() => void>()

beforeEach(() => {
  isDark = false
  tell = new Set()
  vi.resetModules()
  vi.stubGlobal('matchMedia', (query: string) => ({
    get matches() {
      return query.includes('dark') && isDark
    },
    addEventListener: (_: string, heard: () => void) => tell.add(heard),
  }))
  return () => vi.unstubAllGlobals()
})

it('changes for everybody in one moment, whoever is drawn first', async () => {
  const { useShownTheme } = await import('./useShownTheme')
  const page = renderHook(() => useShownTheme())
  const terminal = renderHook(() => useShownTheme())
  expect([page.result.current, terminal.result.current]).toEqual(['light', 'light'])

  isDark = true
  terminal.rerender()
  expect(terminal.result.current).toBe('light')

  act(() => {
    for (const heard of tell) heard()
  })
  expect([page.result.current, terminal.result.current]).toEqual(['dark', 'dark'])
})

it('shows what the system asks for now when somebody looks again', async () => {
  const { useShownTheme } = await import('./useShownTheme')
  renderHook(() => useShownTheme()).unmount()

  isDark = true
  expect(renderHook(() => useShownTheme()).result.current).toBe('dark')
})
