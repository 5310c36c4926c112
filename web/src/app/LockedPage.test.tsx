// @vitest-environment jsdom
import '../testing/drawnNothing'
import { cleanup, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, it, vi } from 'vitest'
import { connectionStore } from '../state/connection'
import { openPage } from '../state/page'
import { answerWith, sentTo } from '../testing/fakeServer'
import { FakeSocket } from '../testing/fakeSocket'
import { renderInPage } from '../testing/renderInPage'
import { App } from './App'

afterEach(cleanup)

it('takes the start code once more that nobody answered to, and says why the page does not come', async () => {
  const sockets: FakeSocket[] = []
  vi.stubGlobal('WebSocket', function open() {
    const socket = new FakeSocket()
    sockets.push(socket)
    return socket
  })
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')))
  location.hash = '#code=c1'
  await openPage()
  renderInPage(<App />)
  expect(screen.getByText('The server did not answer.')).toBeTruthy()

  const sent = answerWith({ id: 'b', credential: 'key' })
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
  expect(sentTo(sent, '/api/session')).toMatchObject([{ code: 'c1' }])

  await vi.waitFor(() => expect(sockets).toHaveLength(1))
  sockets[0]?.drop()
  expect(await screen.findByText(/^Connection lost at/)).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Retry now' }))
  expect(sockets).toHaveLength(2)
  expect(connectionStore.getState().hasState).toBe(false)
})
