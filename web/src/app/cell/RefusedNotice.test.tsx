// @vitest-environment jsdom
import { cleanup, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { ProjectAgent } from '../../state/agents'
import { agentStore } from '../../state/agents'
import { launchStore } from '../../state/launch'
import { agent, readiness } from '../../testing/builders'
import { answerWith, sentTo } from '../../testing/fakeServer'
import { renderInPage } from '../../testing/renderInPage'
import { RefusedNotice } from './RefusedNotice'

const GONE = readiness({ state: 'exited', reason: 'conversationRefused', detail: 'No conversation found' })

beforeEach(() => launchStore.setState(new Map(), true))
afterEach(cleanup)

function show(one: ProjectAgent): void {
  agentStore.setState(new Map([[one.id, one]]), true)
  renderInPage(<RefusedNotice nodeId="here" agent={one} view="chat" />)
}

it.each([
  ['Start afresh with the transcript', 'primed'],
  ['Start empty', 'empty'],
  ['Try again', 'resume'],
])('%s', async (name, opening) => {
  const sent = answerWith({})
  show(agent('QA', { readiness: GONE }))
  expect(screen.getByRole('alert').textContent).toContain('Its CLI says: No conversation found')

  await userEvent.click(screen.getByRole('button', { name }))

  expect(sentTo(sent, '/launch')).toEqual([{ nodeId: 'here', view: 'chat', isReattach: false, opening }])
})

it('says when another conversation was taken up, whose id tells nobody anything', () => {
  show(agent('QA', { readiness: { ...GONE, reason: 'otherConversation', detail: '0b5d2c1e' } }))

  expect(screen.getByRole('alert').textContent).toContain('took up another conversation')
  expect(screen.getByRole('alert').textContent).not.toContain('0b5d2c1e')
})

it('is silent about every other end', () => {
  show(agent('QA', { readiness: readiness({ state: 'exited', reason: 'ended' }) }))

  expect(screen.queryByRole('alert')).toBeNull()
})
