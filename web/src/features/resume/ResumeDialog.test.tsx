// @vitest-environment jsdom
import '../../testing/drawnNothing'
import { cleanup, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { agentStore } from '../../state/agents'
import { resumeStore } from '../../state/resumable'
import { agent, project } from '../../testing/builders'
import { answerWith, sentTo } from '../../testing/fakeServer'
import { renderInPage } from '../../testing/renderInPage'
import type { Resumable } from '../../wire/shapes'
import { ResumeDialog } from './ResumeDialog'

const GAVE_UP = {
  code: 'ENGINE_FAILED',
  outcome: 'EngineFailed',
  message: '',
  advice: '',
  fields: { reason: 'no key' },
}

function ran(agentId: string, change: Partial<Resumable> = {}): Resumable {
  return {
    agentId,
    conversationId: 'c',
    view: 'chat',
    nodeId: null,
    startedAtMs: null,
    canResume: true,
    reason: '',
    fields: {},
    ...change,
  }
}

beforeEach(() => {
  agentStore.setState(new Map(['Main', 'QA', 'Ops'].map((name) => [name.toLowerCase(), agent(name)])), true)
  resumeStore.setState(new Map(), true)
})
afterEach(cleanup)

const row = (name: string) => {
  const found = screen.getAllByRole('listitem').find((item) => item.textContent?.startsWith(name))
  if (found === undefined) throw new Error(`no row of ${name}`)
  return found
}

it('says why an agent cannot go on, and offers only the others', async () => {
  const without = ran('ops', { canResume: false, fields: { why: 'noConversation' } })
  const closed: string[] = []
  renderInPage(
    <ResumeDialog
      project={project({ resumable: [ran('main'), ran('qa'), without] })}
      onClose={() => closed.push('closed')}
    />,
  )

  expect(row('Ops').textContent).toContain('It had no conversation yet that could go on. Start it in its cell instead.')
  expect(within(row('Ops')).queryByRole('button')).toBeNull()

  const sent = answerWith(['main', 'qa'].map((agentId) => ({ agentId, session: null, error: null })))
  await userEvent.click(screen.getByRole('button', { name: 'Resume 2 agents' }))
  expect(sentTo(sent, '/resumable/resume')).toEqual([{ agents: ['main', 'qa'] }])
  expect(closed).toEqual(['closed'])
})

it('keeps beside an agent what stood in its way, and stays open', async () => {
  const closed: string[] = []
  renderInPage(
    <ResumeDialog project={project({ resumable: [ran('main'), ran('qa')] })} onClose={() => closed.push('closed')} />,
  )
  answerWith([
    { agentId: 'main', session: null, error: null },
    { agentId: 'qa', session: null, error: GAVE_UP },
  ])

  await userEvent.click(screen.getByRole('button', { name: 'Resume 2 agents' }))

  expect((await within(row('QA')).findByRole('alert')).textContent).toContain('Its CLI gave up: no key.')
  expect(within(row('Main')).queryByRole('alert')).toBeNull()
  expect(closed).toEqual([])
})

it('takes the box back when the setting was not saved', async () => {
  renderInPage(<ResumeDialog project={project({ resumable: [ran('main')] })} onClose={() => {}} />)
  const sent = answerWith({ code: 'CONFLICT', message: 'no' }, 409)
  await userEvent.click(screen.getByRole('checkbox'))

  expect(sentTo(sent, '/settings')).toMatchObject([{ resume: 'auto' }])
  expect(screen.getByRole('checkbox')).toHaveProperty('checked', false)
})
