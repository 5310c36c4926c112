// @vitest-environment jsdom
import { cleanup, fireEvent, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { agentStore } from '../../state/agents'
import { conversationStore, EMPTY } from '../../state/conversations'
import { keepDraft } from '../../state/drafts'
import { agent, item, liveTurn } from '../../testing/builders'
import { answerWith, type Sent, sentTo } from '../../testing/fakeServer'
import { renderInPage } from '../../testing/renderInPage'
import { Composer } from './Composer'

const MAIN = agent('Main')

function show(one = MAIN): HTMLElement {
  renderInPage(<Composer agent={one} onSent={() => {}} />)
  return screen.getByRole('textbox', { name: 'Message to Main' })
}

describe('the composer', () => {
  let sent: Sent[]

  beforeEach(() => {
    sent = answerWith({ turnId: 't1' })
    agentStore.setState(new Map([['main', MAIN]]), true)
    conversationStore.setState(new Map(), true)
    keepDraft('main', '')
  })
  afterEach(cleanup)

  it('sends with Enter and is empty again', async () => {
    const box = show()

    await userEvent.type(box, 'Fix the list{Enter}')

    expect(sentTo(sent, '/agents/main/messages')).toEqual([{ message: 'Fix the list' }])
    expect(box).toHaveProperty('value', '')
  })

  it('breaks the line with Shift Enter', async () => {
    const box = show()

    await userEvent.type(box, 'one{Shift>}{Enter}{/Shift}two')

    expect(box).toHaveProperty('value', 'one\ntwo')
    expect(sent).toEqual([])
  })

  it('leaves Enter to an input method that composes', () => {
    const box = show()
    fireEvent.change(box, { target: { value: 'にほ' } })

    fireEvent.keyDown(box, { key: 'Enter', isComposing: true })

    expect(sent).toEqual([])
  })

  it('brings earlier messages back, the newest first', async () => {
    const items = [
      item(1, { kind: 'prompt', author: 'human', text: 'first' }),
      item(2),
      item(3, { kind: 'prompt', author: 'human', text: 'second' }),
    ]
    conversationStore.setState(new Map([['main', { ...EMPTY, items }]]), true)
    const box = show()

    await userEvent.type(box, '{ArrowUp}')
    expect(box).toHaveProperty('value', 'second')
    await userEvent.type(box, '{ArrowUp}')
    expect(box).toHaveProperty('value', 'first')
    await userEvent.type(box, '{ArrowDown}{ArrowDown}')
    expect(box).toHaveProperty('value', '')
  })

  it('keeps the text and says what to do when it was not sent', async () => {
    answerWith(
      {
        code: 'INVALID',
        outcome: 'Invalid',
        message: 'QA runs as a terminal. Stop it first.',
        advice: 'Correct it.',
        fields: {},
      },
      422,
    )
    const box = show()

    await userEvent.type(box, 'Hello{Enter}')

    expect((await screen.findByRole('alert')).textContent).toContain('QA runs as a terminal. Stop it first.')
    expect(box).toHaveProperty('value', 'Hello')
  })

  it('keeps a draft when the cell goes and comes back', async () => {
    await userEvent.type(show(), 'half a thought')
    cleanup()

    expect(show()).toHaveProperty('value', 'half a thought')
  })

  it('stops the running turn', async () => {
    show(agent('Main', { liveTurn: liveTurn({ turnId: 't9' }) }))

    await userEvent.click(screen.getByRole('button', { name: 'Stop turn' }))

    expect(sentTo(sent, '/agents/main/interrupt')).toEqual([{ turnId: 't9' }])
  })

  it('shows the place in the queue, and takes it back', async () => {
    const requester = { id: 'human', name: 'You', source: 'ui' as const }
    const queued = { turnId: 'q', position: 2, requester, ticketId: null, preview: 'And then?', sinceAtMs: 0 }
    show(agent('Main', { queue: [queued] }))
    expect(screen.getByText('queued: you are #2')).toBeTruthy()

    await userEvent.click(screen.getByRole('button', { name: 'Take You out of the queue' }))

    expect(sentTo(sent, '/agents/main/cancel')).toEqual([{ turnId: 'q' }])
  })
})
