// @vitest-environment jsdom
import '../../testing/drawnNothing'
import { cleanup, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { agentStore } from '../../state/agents'
import { conversationStore } from '../../state/conversations'
import { loadConversation, loadOlder } from '../../state/loadConversation'
import { agent, item } from '../../testing/builders'
import { answerWith } from '../../testing/fakeServer'
import { renderInPage } from '../../testing/renderInPage'
import { ChatView } from './ChatView'

const MAIN = agent('Main')

beforeEach(() => {
  agentStore.setState(new Map([['main', MAIN]]), true)
  conversationStore.setState(new Map(), true)
})
afterEach(cleanup)

function show(): void {
  renderInPage(<ChatView agent={MAIN} renderDelegation={() => null} />)
}

it.each([
  ['is of another shape', () => answerWith({ lines: [] })],
  ['is no JSON', () => vi.stubGlobal('fetch', async () => new Response('<html>', { status: 200 }))],
])('says so when the answer %s, and asks again when told to', async (_, answer) => {
  answer()
  show()

  expect((await screen.findByRole('alert')).textContent).toContain('This page cannot read what IdeA answered.')
  expect(screen.queryByText('Loading…')).toBeNull()

  answerWith({ items: [item(1, { text: 'Hello there', author: 'human', kind: 'prompt' })], hasMore: false })
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByText('Hello there')).toBeTruthy()
  expect(screen.queryByRole('alert')).toBeNull()
})

it('keeps what is shown when an older page fails, and asks for that one again', async () => {
  answerWith({ items: [item(7, { text: 'Newest' })], hasMore: true })
  show()
  await screen.findByText('Newest')

  answerWith({ code: 'INTERNAL', message: 'no', advice: '', fields: {} }, 500)
  await loadOlder('main')
  expect((await screen.findByRole('alert')).textContent).toContain('Earlier messages were not loaded')

  const sent = answerWith({ items: [item(6, { text: 'Older' })], hasMore: false })
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByText('Older')).toBeTruthy()
  expect(screen.getByText('Newest')).toBeTruthy()
  expect(sent).toHaveLength(1)
})

it('awaits nothing of an agent that is gone', async () => {
  agentStore.setState(new Map(), true)

  await loadConversation('main')

  expect(conversationStore.getState().has('main')).toBe(false)
})
