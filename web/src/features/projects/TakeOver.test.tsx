// @vitest-environment jsdom
import { cleanup, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, it } from 'vitest'
import { NOW } from '../../testing/builders'
import { answerInTurn, sentTo } from '../../testing/fakeServer'
import { renderInPage } from '../../testing/renderInPage'
import { OpenProjectForm } from './OpenProjectForm'

afterEach(cleanup)

function elsewhere(holder: string | null) {
  const fields = { why: 'openElsewhere', pid: 12, sinceMs: NOW, holder }
  return { code: 'CONFLICT', outcome: 'Conflict', message: '', advice: '', fields }
}

async function tryToOpen(holder: string | null) {
  const server = answerInTurn()
  let isOpened = false
  renderInPage(<OpenProjectForm onOpened={() => (isOpened = true)} />)
  await userEvent.type(screen.getByRole('textbox'), '/shop{Enter}')
  await server.answer(elsewhere(holder), 409)
  expect((await screen.findByRole('alert')).textContent).toContain('Another IdeA server of yours (pid 12)')
  return { ...server, isOpened: () => isOpened }
}

it('ends exactly the server that the refusal named, once the person agrees', async () => {
  const { sent, answer, isOpened } = await tryToOpen('12:345')

  await userEvent.click(screen.getByRole('button', { name: 'End that server and open it here' }))
  await answer({ id: 'p' })

  await expect.poll(isOpened).toBe(true)
  expect(sentTo(sent, '/projects')).toEqual([
    { path: '/shop', takeOver: null },
    { path: '/shop', takeOver: '12:345' },
  ])
})

it('offers nothing where the holder cannot be named beyond doubt', async () => {
  await tryToOpen(null)

  expect(screen.queryByRole('button', { name: 'End that server and open it here' })).toBeNull()
})
