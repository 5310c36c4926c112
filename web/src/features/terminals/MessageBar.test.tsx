// @vitest-environment jsdom
import { cleanup, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { agentStore } from '../../state/agents'
import { NOTHING, writingStore, writingTo } from '../../state/writing'
import { agent, readiness, session } from '../../testing/builders'
import { answerInTurn, answerWith, sentTo } from '../../testing/fakeServer'
import { renderInPage } from '../../testing/renderInPage'
import { MessageBar } from './MessageBar'

const QA = agent('QA', { session: session({ kind: 'pty' }), readiness: readiness({ source: 'terminal' }) })
const PROMPT = '/agents/qa/terminal/prompt'
const UNCONFIRMED = {
  code: 'CONFLICT',
  outcome: 'Conflict',
  message: 'QA has not shown that a turn began.',
  advice: 'Look at it.',
  fields: { why: 'promptUnconfirmed', agent: 'QA' },
}

function show(one = QA, onClose: (() => void) | null = null): HTMLTextAreaElement {
  renderInPage(<MessageBar agent={one} onClose={onClose} />)
  return screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Message to QA' })
}

describe('the box under a terminal', () => {
  beforeEach(() => {
    agentStore.setState(new Map([['qa', QA]]), true)
    writingStore.setState(new Map(), true)
  })
  afterEach(cleanup)

  it('shows a message until it is taken, and brings it back with an arrow', async () => {
    const { sent, answer } = answerInTurn()
    const box = show()

    await userEvent.type(box, 'Fix{Shift>}{Enter}{/Shift}it{Enter}')
    expect(box.value).toBe('Fix\nit')
    await userEvent.type(box, 'more{Enter}')
    expect(box.value).toBe('Fix\nit')
    expect(screen.getByRole('status').textContent).toBe('Sending…')

    await answer(null)
    await expect.poll(() => box.value).toBe('')
    expect(sentTo(sent, PROMPT)).toEqual([{ text: 'Fix\nit' }])
    await userEvent.type(box, '{ArrowUp}')
    expect(box.value).toBe('Fix\nit')
  })

  it('keeps what was refused, and says why until that is dismissed', async () => {
    answerWith(UNCONFIRMED, 409)
    const box = show()

    await userEvent.type(box, 'Fix it{Enter}')

    const notice = await screen.findByRole('alert')
    expect(notice.textContent).toContain('Sent, but not confirmed')
    expect(notice.textContent).toContain('The text may stand in its input line')
    expect(box.value).toBe('Fix it')
    await userEvent.click(screen.getByRole('button', { name: 'Dismiss' }))
    expect(screen.queryByRole('alert')).toBeNull()
    expect(writingTo('qa')).toEqual({ ...NOTHING, text: 'Fix it' })
  })

  it.each([
    ['working', 'terminal', 'QA is in a turn'],
    ['waitingPermission', 'hook', 'QA asks you something'],
    ['rateLimited', 'hook', 'The CLI of QA refuses work for now'],
    ['starting', 'keeper', 'QA is not at its prompt'],
    ['idle', 'activity', 'QA is not at its prompt'],
  ] as const)('sends nothing to one that is %s by its %s, and says why', async (state, source, why) => {
    const sent = answerWith(null)
    const box = show({ ...QA, readiness: readiness({ state, source }) })

    await userEvent.type(box, 'Fix it{Enter}')

    expect(screen.getByText(why)).toBeTruthy()
    expect(screen.getByRole('button', { name: /^Send/ })).toHaveProperty('disabled', true)
    expect(box.value).toBe('Fix it')
    expect(sent).toEqual([])
  })

  it('has the keyboard where it was asked for, and gives it back with Esc', async () => {
    const closed: string[] = []
    const box = show(QA, () => closed.push('closed'))

    expect(document.activeElement).toBe(box)
    await userEvent.keyboard('half{Escape}')

    expect(closed).toEqual(['closed'])
    expect(writingTo('qa').text).toBe('half')
  })
})
