// @vitest-environment jsdom
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { agentStore } from '../../state/agents'
import { conversationStore, EMPTY } from '../../state/conversations'
import { projectStore } from '../../state/project'
import { closeDialog, selectionStore } from '../../state/selection'
import { approveTrust } from '../../state/trust'
import { writingStore } from '../../state/writing'
import { agent, item, liveTurn, project } from '../../testing/builders'
import { answerInTurn, answerWith, type Sent, sentTo } from '../../testing/fakeServer'
import { renderInPage } from '../../testing/renderInPage'
import { Composer } from './Composer'

const MAIN = agent('Main')

const REFUSED = {
  code: 'INVALID',
  outcome: 'Invalid',
  message: 'QA runs as a terminal. Stop it first.',
  advice: 'Correct it.',
  fields: {},
}
const TRUST_REQUIRED = { ...REFUSED, code: 'TRUST_REQUIRED', outcome: 'Refused', fields: { hash: 'h' } }
const UNTRUSTED = { isTrusted: false, hash: 'h', items: [] }

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
    writingStore.setState(new Map(), true)
  })
  afterEach(cleanup)

  it('sends with Enter and is empty again', async () => {
    const box = show()

    await userEvent.type(box, 'Fix the list{Enter}')

    expect(sentTo(sent, '/agents/main/messages')).toMatchObject([{ message: 'Fix the list' }])
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
    answerWith(REFUSED, 422)
    const box = show()

    await userEvent.type(box, 'Hello{Enter}')

    expect((await screen.findByRole('alert')).textContent).toContain('QA runs as a terminal. Stop it first.')
    expect(box).toHaveProperty('value', 'Hello')
  })

  it('takes the next message while one is on its way, and sends both in order', async () => {
    const server = answerInTurn()
    const box = show()

    await userEvent.type(box, 'first{Enter}second{Enter}third')

    expect(screen.getByRole('status').textContent).toBe('Sending…')
    expect(box).toHaveProperty('value', 'third')
    await server.answer({ turnId: 't1' })
    await server.answer({ turnId: 't2' })
    expect(sentTo(server.sent, '/messages')).toMatchObject([{ message: 'first' }, { message: 'second' }])
    expect(box).toHaveProperty('value', 'third')
    await waitFor(() => expect(screen.queryByRole('status')).toBeNull())
  })

  it('gives back all that was not taken, above what was written since', async () => {
    const server = answerInTurn()
    const box = show()
    await userEvent.type(box, 'first{Enter}second{Enter}third')

    await server.answer(REFUSED, 422)

    expect((await screen.findByRole('alert')).textContent).toContain('The message was not sent')
    expect(box).toHaveProperty('value', 'first\n\nsecond\n\nthird')
    expect(sentTo(server.sent, '/messages')).toMatchObject([{ message: 'first' }])
  })

  it('asks for an approval that is needed, and sends the message once it is given', async () => {
    projectStore.setState(new Map([['p', project({ trust: UNTRUSTED })]]), true)
    const server = answerInTurn()
    const box = show()
    await userEvent.type(box, 'Hello{Enter}')

    await server.answer(TRUST_REQUIRED, 403)
    await waitFor(() => expect(selectionStore.getState().dialog).toEqual({ name: 'trust' }))
    const approving = approveTrust('p', 'h')
    await server.answer({ isTrusted: true, hash: 'h', items: [] })
    await approving
    closeDialog()
    await server.answer({ turnId: 't1' })

    expect(sentTo(server.sent, '/messages')).toMatchObject([{ message: 'Hello' }, { message: 'Hello' }])
    expect(box).toHaveProperty('value', '')
  })

  it('keeps the message when the approval is not given', async () => {
    projectStore.setState(new Map([['p', project({ trust: UNTRUSTED })]]), true)
    answerWith(TRUST_REQUIRED, 403)
    const box = show()
    await userEvent.type(box, 'Hello{Enter}')
    await waitFor(() => expect(selectionStore.getState().dialog).toEqual({ name: 'trust' }))

    closeDialog()

    expect((await screen.findByRole('alert')).textContent).toContain('that you have not approved')
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

  it('shows the place in the queue, and takes a message back into the box, whole', async () => {
    const requester = { id: 'human', name: 'You', source: 'ui' as const }
    const queued = { turnId: 'q', position: 2, requester, ticketId: null, preview: 'And then?', sinceAtMs: 0 }
    const box = show(agent('Main', { queue: [queued] }))
    await userEvent.type(box, 'Better so')
    expect(screen.getByText('queued: you are #2')).toBeTruthy()

    const asked = answerWith({ message: 'And then?\nAnd after that?' })
    await userEvent.click(screen.getByRole('button', { name: 'Take this message back' }))

    expect(sentTo(asked, '/agents/main/cancel')).toEqual([{ turnId: 'q' }])
    await waitFor(() => expect(box).toHaveProperty('value', 'And then?\nAnd after that?\n\nBetter so'))
  })
})
