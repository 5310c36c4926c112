// @vitest-environment jsdom
import { expect, it, vi } from 'vitest'
import { agent } from '../testing/builders'
import { answerInTurn, answerWith, sentTo } from '../testing/fakeServer'

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

it('sends a message that came back under the same id, also after a reload, and what stands below it as another one', async () => {
  vi.resetModules()
  sessionStorage.clear()
  let page = await openWith()
  answerWith({ code: 'INTERNAL', message: '', advice: '', fields: {} }, 500)
  page.write('main', 'deploy it')
  await page.sendWritten('main')
  expect(page.writingTo('main').text).toBe('deploy it')

  const first = page.writingTo('main').unsure?.id
  window.dispatchEvent(new Event('pagehide'))
  vi.resetModules()
  page = await openWith()
  const sent = answerWith({ turnId: 't' })
  page.write('main', 'deploy it\n\nand tell me')
  await page.sendWritten('main')
  page.write('main', 'deploy it')
  await page.sendWritten('main')

  const [again, below, anew] = sentTo(sent, '/messages') as { message: string; messageId: string }[]
  expect(again).toEqual({ message: 'deploy it', messageId: first })
  expect(below?.message).toBe('and tell me')
  expect(anew?.message).toBe('deploy it')
  expect(new Set([first, below?.messageId, anew?.messageId]).size).toBe(3)
})

/** The page, with one agent. */
async function openWith() {
  const { agentStore } = await import('./agents')
  const page = await import('./writing')
  agentStore.setState(new Map([['main', agent('Main')]]), true)
  page.keepDrafts()
  return page
}

it('sends from the chat what was written while a message was typed into the terminal', async () => {
  vi.resetModules()
  const { agentStore } = await import('./agents')
  const page = await import('./writing')
  agentStore.setState(new Map([['main', agent('Main')]]), true)
  const { sent, answer } = answerInTurn()

  page.write('main', 'typed')
  const typing = page.typeWritten('main')
  page.write('main', 'said')
  await page.sendWritten('main')
  await answer(null)
  await answer({ turnId: 't1' })

  expect(await typing).toBe(true)
  expect(sentTo(sent, '/terminal/prompt')).toEqual([{ text: 'typed' }])
  expect(sentTo(sent, '/messages')).toMatchObject([{ message: 'said' }])
  expect(page.writingTo('main')).toEqual({ ...page.NOTHING, typed: ['typed'] })
})
