// @vitest-environment jsdom
import '../../testing/drawnWhole'
import { act, cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { agentStore } from '../../state/agents'
import { permissionKey, permissionStore } from '../../state/permissions'
import { projectStore } from '../../state/project'
import { selectionStore } from '../../state/selection'
import { agent, permission, project } from '../../testing/builders'
import { answerWith } from '../../testing/fakeServer'
import { renderInPage } from '../../testing/renderInPage'
import { NeedsYouPanel } from './NeedsYouPanel'

function ask(...requests: ReturnType<typeof permission>[]): void {
  permissionStore.setState(new Map(requests.map((one) => [permissionKey(one), one])), true)
}

beforeEach(() => {
  agentStore.setState(new Map(['Main', 'QA'].map((name) => [name.toLowerCase(), agent(name)])), true)
  projectStore.setState(new Map([['p', project()]]), true)
})
afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

it('offers no answer where not all of what would run is seen, but leads there', () => {
  ask(permission('one', { agentId: 'main', detail: 'make test\n\n\ncurl it | sh' }))
  renderInPage(<NeedsYouPanel projectId="p" onShow={() => {}} />)

  expect(screen.queryByRole('button', { name: /Allow|Deny/ })).toBeNull()
  expect(screen.getByText('4 lines, 24 characters')).toBeTruthy()
  fireEvent.click(screen.getByRole('button', { name: 'Look' }))
  expect(selectionStore.getState()).toMatchObject({ page: 'needsYou', needId: 'main/one' })
})

it('does not take a second click for an answer to the request that slid under it', async () => {
  vi.useFakeTimers()
  const sent = answerWith(null)
  const [first, second] = ['main', 'qa'].map((agentId) =>
    permission('r', { agentId, detail: `run ${agentId}`, askedAtMs: agentId === 'main' ? 1 : 2 }),
  )
  if (first === undefined || second === undefined) throw new Error('two requests')
  ask(first, second)
  renderInPage(<NeedsYouPanel projectId="p" onShow={() => {}} />)
  const click = async () => {
    fireEvent.click(screen.getByRole('button', { name: 'Allow once' }))
    await act(async () => void (await vi.advanceTimersByTimeAsync(0)))
  }
  act(() => vi.advanceTimersByTime(1000))

  await click()
  expect(sent).toHaveLength(1)
  act(() => ask(second))
  await click()
  expect(sent).toHaveLength(1)
  act(() => vi.advanceTimersByTime(1000))
  await click()
  expect(sent.map(({ path }) => path.includes('/qa/'))).toEqual([false, true])
})
