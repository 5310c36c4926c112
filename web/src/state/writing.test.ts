// @vitest-environment jsdom
import { expect, it, vi } from 'vitest'

it('brings drafts back after a reload of the page', async () => {
  const before = await import('./writing')
  before.keepDrafts()
  before.write('main', 'half a thought')
  before.write('qa', '')
  window.dispatchEvent(new Event('pagehide'))

  vi.resetModules()
  const after = await import('./writing')
  after.keepDrafts()

  expect(after.writingTo('main').text).toBe('half a thought')
  expect(after.writingTo('qa')).toBe(after.NOTHING)
})

it('opens with an empty box where what was kept cannot be read', async () => {
  sessionStorage.setItem('idea.drafts', '{"main": "half')
  vi.resetModules()
  const page = await import('./writing')

  page.keepDrafts()

  expect(page.writingTo('main')).toBe(page.NOTHING)
})
