// @vitest-environment jsdom
import { cleanup, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, it } from 'vitest'
import { delegationStore, type ProjectDelegation } from '../../state/delegations'
import { delegation, NOW } from '../../testing/builders'
import { renderInPage } from '../../testing/renderInPage'
import { DelegationCard } from './DelegationCard'

afterEach(cleanup)

function show(change: Partial<ProjectDelegation>): HTMLElement {
  delegationStore.setState(new Map([['d', delegation('d', { settledAtMs: NOW, ...change })]]), true)
  renderInPage(<DelegationCard ticketId="d" onShow={() => {}} />)
  return screen.getByRole('article')
}

it('folds the answer away, which the asker tells below, and unfolds the whole exchange', async () => {
  const card = show({ state: 'answered', outcome: 'ANSWERED', reply: '212 pass' })
  expect(card.textContent).not.toContain('212 pass')

  await userEvent.click(screen.getByRole('button', { name: 'Show the exchange' }))

  expect(screen.getByRole('region', { name: 'Question' }).textContent).toContain('Run the suite')
  expect(screen.getByRole('region', { name: 'Answer' }).textContent).toContain('212 pass')
})

it('says why an ask failed in the page’s own words', () => {
  const explanation = 'The server’s sentence.'
  const failed = { state: 'failed', outcome: 'CANCELLED', explanation, fields: { by: 'user' } } as const

  expect(show(failed).textContent).toContain('by you')
  cleanup()
  expect(show({ ...failed, outcome: 'TURN_FAILED', fields: {} }).textContent).not.toContain(explanation)
})
