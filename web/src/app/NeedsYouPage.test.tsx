// @vitest-environment jsdom
import '../testing/drawnWhole'
import { act, cleanup, fireEvent, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { agentStore } from '../state/agents'
import { permissionKey, permissionStore } from '../state/permissions'
import { projectStore } from '../state/project'
import { selectionStore } from '../state/selection'
import { agent, permission, project, readiness, session } from '../testing/builders'
import { answerWith, type Sent } from '../testing/fakeServer'
import { renderInPage } from '../testing/renderInPage'
import { NeedsYouPage } from './NeedsYouPage'

const ALL = ['allowOnce', 'allowSession', 'deny'] as const

function ask(...requests: ReturnType<typeof permission>[]): void {
  permissionStore.setState(new Map(requests.map((one) => [permissionKey(one), one])), true)
}

function request(id: string, agentId: string, askedAtMs: number) {
  return permission(id, { agentId, askedAtMs, choices: [...ALL] })
}

const shown = () => screen.getByRole('region', { name: /^Request from/ }).getAttribute('aria-label')

describe('the page of what needs you', () => {
  const FIRST = request('one', 'main', 1)
  const SECOND = request('two', 'qa', 2)
  let sent: Sent[]
  let gone: string[]

  beforeEach(() => {
    agentStore.setState(new Map(['Main', 'QA'].map((name) => [name.toLowerCase(), agent(name)])), true)
    projectStore.setState(new Map([['p', project()]]), true)
    selectionStore.setState({ dialog: null })
    ask(FIRST, SECOND)
    sent = answerWith(null)
    gone = []
    renderInPage(
      <>
        <NeedsYouPage projectId="p" onShow={(agentId) => gone.push(agentId)} />
        <input aria-label="field" />
      </>,
    )
  })
  afterEach(() => {
    cleanup()
    vi.useRealTimers()
  })

  const decisions = () => sent.map((one) => [one.path.split('/').at(-1), (one.body as { decision: string }).decision])

  it('says what is asked in a terminal, and leads there', async () => {
    // The page looks up the CLIs, to tell an unknown one.
    answerWith([])
    const asking = readiness({
      state: 'waitingPermission',
      reason: 'permissionAsked',
      detail: 'touch it',
      source: 'screen',
    })
    const inTerminal = agent('Main', { readiness: asking, session: session({ kind: 'pty' }) })
    act(() => {
      ask()
      agentStore.setState(new Map([['main', inTerminal]]), true)
    })

    const heading = screen.getByRole('heading', { level: 2 })
    expect(heading.textContent).toBe('Main asks for permission in its terminal')
    expect(screen.getByText('asks for permission in its terminal: touch it')).toBeTruthy()
    expect(screen.getByText(/^Waits for an answer: touch it · its screen, /)).toBeTruthy()
    await userEvent.keyboard('g')
    expect(gone).toEqual(['main'])
  })

  it('is walked with J and K, and the focus goes along', async () => {
    expect(shown()).toBe('Request from Main')

    await userEvent.keyboard('j')
    expect(shown()).toBe('Request from QA')
    expect(document.activeElement?.textContent).toContain('QA')
    await userEvent.keyboard('j')
    expect(shown()).toBe('Request from QA')

    await userEvent.keyboard('k')
    expect(shown()).toBe('Request from Main')
  })

  it('is answered with A, S and D, and never by Enter', async () => {
    await userEvent.keyboard('{Enter}jd')
    await userEvent.keyboard('ks')

    expect(decisions()).toEqual([
      ['two', 'deny'],
      ['one', 'allowSession'],
    ])
  })

  it('answers only what the engine takes', async () => {
    act(() => ask(permission('one', { agentId: 'main', choices: ['allowOnce', 'deny'] })))

    await userEvent.keyboard('s')

    expect(sent).toEqual([])
  })

  it('leads to the cell of who asks with G', async () => {
    await userEvent.keyboard('jg')

    expect(gone).toEqual(['qa'])
  })

  it('takes no key while somebody types, a dialog is open, or another key is held with it', async () => {
    await userEvent.type(screen.getByLabelText('field'), 'jad')
    await userEvent.keyboard('{Control>}a{/Control}')
    screen.getByLabelText('field').blur()
    selectionStore.setState({ dialog: { name: 'shortcuts' } })
    await userEvent.keyboard('a')

    expect(sent).toEqual([])
    expect(shown()).toBe('Request from Main')
  })

  it('answers nothing else with a key that is held down', () => {
    fireEvent.keyDown(document.body, { key: 'a', repeat: true })

    expect(sent).toEqual([])
  })

  it('gives what comes into view by itself a moment before it takes an answer', async () => {
    await userEvent.keyboard('a')
    vi.useFakeTimers()
    act(() => ask(SECOND))
    expect(shown()).toBe('Request from QA')

    fireEvent.keyDown(document.body, { key: 'a' })
    expect(decisions()).toEqual([['one', 'allowOnce']])
    act(() => vi.advanceTimersByTime(1000))
    fireEvent.keyDown(document.body, { key: 'd' })
    await act(async () => void (await vi.advanceTimersByTimeAsync(0)))

    expect(decisions().at(-1)).toEqual(['two', 'deny'])
  })

  it('keeps the one in view while others come and go, then shows the one in its place', () => {
    act(() => ask(request('zero', 'qa', 0), FIRST, SECOND))
    expect(shown()).toBe('Request from Main')

    act(() => ask(request('zero', 'qa', 0), SECOND))
    expect(shown()).toBe('Request from QA')
    expect(screen.getAllByRole('button', { current: true }).map((button) => button.dataset.need)).toEqual(['qa/two'])
  })
})
