// @vitest-environment jsdom
import { cleanup, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, it } from 'vitest'
import { agentStore } from '../../state/agents'
import { agent } from '../../testing/builders'
import { answerWith, sentTo } from '../../testing/fakeServer'
import { renderInPage } from '../../testing/renderInPage'
import { QueuePanel } from './QueuePanel'

afterEach(cleanup)

function turn(position: number) {
  const requester = { id: `a${position}`, name: `Agent ${position}`, source: 'mcp' as const }
  return { turnId: `t${position}`, position, requester, ticketId: null, preview: `message ${position}`, sinceAtMs: 0 }
}

it('shows the turns behind the first ones when asked, each with a way out of the queue', async () => {
  agentStore.setState(new Map([['qa', agent('QA', { queue: [turn(1), turn(2)], queueLength: 4 })]]), true)
  const sent = answerWith([turn(3), turn(4)])
  renderInPage(<QueuePanel projectId="p" />)
  expect(screen.queryByText('message 4')).toBeNull()

  await userEvent.click(screen.getByRole('button', { name: 'and 2 more' }))
  await screen.findByText('message 4')
  await userEvent.click(screen.getByRole('button', { name: 'Take Agent 4 out of the queue' }))

  expect(screen.queryByRole('button', { name: /^and/ })).toBeNull()
  expect(sentTo(sent, '/agents/qa/cancel')).toEqual([{ turnId: 't4' }])
})

it('says so when the rest of the queue cannot be had', async () => {
  agentStore.setState(new Map([['qa', agent('QA', { queue: [turn(1)], queueLength: 2 })]]), true)
  answerWith({ code: 'NOT_FOUND', message: 'No such agent', advice: '', fields: {} }, 404)
  renderInPage(<QueuePanel projectId="p" />)

  await userEvent.click(screen.getByRole('button', { name: 'and 1 more' }))

  expect((await screen.findByRole('alert')).textContent).toContain('The rest of the queue was not loaded')
})
