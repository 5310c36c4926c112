// @vitest-environment jsdom
import { cleanup, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, it } from 'vitest'
import { agentStore } from '../../state/agents'
import { conversationStore, EMPTY } from '../../state/conversations'
import { agent, item } from '../../testing/builders'
import { answerWith, sentTo } from '../../testing/fakeServer'
import { renderInPage } from '../../testing/renderInPage'
import { LocaleContext } from '../../words/useWords'
import type { Locale } from '../../words/words'
import { FailureItem } from './FailureItem'

const TEXT = 'The server’s sentence.'
const AT = new Date(2026, 10, 30, 14, 2).getTime()

afterEach(cleanup)

function show(outcome: string | null, fields: Record<string, unknown> = {}, locale: Locale = 'en'): string {
  const failed = item(1, { kind: 'failure', text: TEXT, outcome, fields, atMs: AT })
  const shown = renderInPage(
    <LocaleContext value={locale}>
      <FailureItem item={failed} />
    </LocaleContext>,
  )
  return shown.container.textContent ?? ''
}

it('says calmly that the person stopped the turn', () => {
  expect(show('CANCELLED', { by: 'user' })).toBe('You stopped this turn')
  expect(show('CANCELLED', { by: 'user' }, 'fr')).toBe('Vous avez arrêté ce tour')
})

it('shows until when the CLI is limited', () => {
  const at = new Date(2026, 10, 30, 16, 40).getTime()

  expect(show('TARGET_RATE_LIMITED', { untilMs: at }, 'fr')).toContain('limite jusqu’à 16:40')
  expect(show('TARGET_RATE_LIMITED', { untilMs: at })).toContain('limit until 16:40')
  expect(screen.getAllByRole('region', { name: 'Limit' })).toHaveLength(1)
})

it('names the day of a limit that ends on another one, and says when the end is unknown', () => {
  expect(show('TARGET_RATE_LIMITED', { untilMs: new Date(2026, 11, 2, 9, 0).getTime() })).toMatch(/Wed,? 2 Dec.*09:00/)
  expect(show('TARGET_RATE_LIMITED', { untilMs: null })).toContain('limit, reset unknown')
  expect(show('TARGET_RATE_LIMITED', { untilMs: null }, 'fr')).toContain('limite, fin inconnue')
})

it('words a failure by its code and keeps what the CLI wrote', () => {
  const said = show('ENGINE_FAILED', { reason: 'x', tail: 'no key', why: 'notReady', seconds: 60 }, 'fr')

  expect(said).toContain('Sa CLI a abandonné : elle n’était pas prête après 60 s.')
  expect(said).toContain('no key')
  expect(said).not.toContain(TEXT)
})

it('draws as code what is to be typed', () => {
  const shown = show('INTERNAL')

  expect(shown).toContain('The log of idea serve says more.')
  expect(document.querySelector('code')?.textContent).toBe('idea serve')
})

it('says how a process ended, with what it wrote last', () => {
  const died = { reason: 'The CLI ended with signal 9', tail: 'out of memory', why: 'ended', code: null, signal: 9 }

  expect(show('TARGET_DIED', died, 'fr')).toContain(
    'Il s’est terminé avant de répondre : son processus s’est terminé, signal 9.',
  )
  expect(show('TARGET_DIED', died)).toContain('out of memory')
})

it('offers to send again what never came to the agent, once, also by keys', async () => {
  const message = item(1, { kind: 'prompt', author: 'human', text: 'Look at it', turnId: 't1' })
  const failed = item(2, { kind: 'failure', turnId: 't1', outcome: 'CANCELLED', fields: { by: 'stop', given: false } })
  agentStore.setState(new Map([[failed.agentId, agent('Main', { id: failed.agentId })]]), true)
  const tell = (...items: (typeof message)[]) =>
    conversationStore.setState(new Map([[failed.agentId, { ...EMPTY, items }]]), true)
  tell(message, failed)
  const drawn = (
    <div className="chat">
      <FailureItem item={failed} />
      <textarea />
    </div>
  )
  const { unmount } = renderInPage(drawn)
  expect(screen.getByText('The agent never got this message.')).toBeTruthy()

  const sent = answerWith({ turnId: 't2' })
  await userEvent.tab()
  await userEvent.keyboard('{Enter}')
  expect(sentTo(sent, '/messages')).toMatchObject([{ message: 'Look at it' }])
  expect(screen.queryByRole('button')).toBeNull()
  expect(document.activeElement).toBe(screen.getByRole('textbox'))

  // Drawn anew, as after a reload: the record tells that it was sent.
  unmount()
  tell(message, failed, item(3, { ...message, seq: 3, turnId: 't2' }))
  renderInPage(drawn)
  expect(screen.queryByRole('button')).toBeNull()
})

it('offers nothing for what the agent was given', () => {
  show('ENGINE_FAILED', { reason: 'x' })

  expect(screen.queryByRole('button')).toBeNull()
})

it('shows an old record’s own text', () => {
  expect(show(null)).toBe(`The turn ended without an answer${TEXT}`)
})
