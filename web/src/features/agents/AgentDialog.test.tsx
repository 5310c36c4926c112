// @vitest-environment jsdom
import { cleanup, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { agentStore } from '../../state/agents'
import { agent } from '../../testing/builders'
import { answerWith } from '../../testing/fakeServer'
import { renderInPage } from '../../testing/renderInPage'
import { AgentDialog } from './AgentDialog'

let closed: number

beforeEach(() => {
  closed = 0
  answerWith([])
  agentStore.setState(new Map([['main', agent('Main')]]), true)
  renderInPage(
    <AgentDialog
      projectId="p"
      agentId="main"
      draft={{}}
      onClose={() => {
        closed += 1
      }}
    />,
  )
})
afterEach(cleanup)

it('asks before what was written is gone, and goes on where it was', async () => {
  const box = screen.getByLabelText('Instructions')
  await userEvent.type(box, 'You run the tests.')

  await userEvent.keyboard('{Escape}')
  expect(screen.getByRole('alertdialog', { name: 'Throw away what you wrote?' })).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Go on writing' }))
  expect(box).toHaveProperty('value', 'You run the tests.')
  expect(closed).toBe(0)

  await userEvent.keyboard('{Escape}')
  await userEvent.click(screen.getByRole('button', { name: 'Throw away' }))
  expect(closed).toBe(1)
})

it('closes at once where nothing was written', async () => {
  await userEvent.keyboard('{Escape}')

  expect(closed).toBe(1)
})
