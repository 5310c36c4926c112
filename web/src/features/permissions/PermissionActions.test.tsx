// @vitest-environment jsdom
import '../../testing/drawnWhole'
import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, it, vi } from 'vitest'
import { decide } from '../../state/decide'
import type { ProjectPermission } from '../../state/permissions'
import { readStore } from '../../state/readRequests'
import { agent, permission } from '../../testing/builders'
import { answerWith, sentTo } from '../../testing/fakeServer'
import { RequestCard } from './RequestCard'

afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
  readStore.setState(new Set(), true)
})

const show = (request: ProjectPermission, isArmed = true) =>
  render(<RequestCard agent={agent('Main')} permission={request} isArmed={isArmed} />)
const answers = () => screen.getAllByRole('button').map((button) => button.textContent)

it('offers exactly the answers that the engine takes', () => {
  show(permission('r'))

  expect(answers()).toEqual(['Allow onceA', 'DenyD'])
})

it('shows verbatim what is asked', () => {
  show(permission('r', { detail: 'rm -rf <b>build</b>' }))

  expect(screen.getByText('rm -rf <b>build</b>')).toBeTruthy()
})

it('keeps its heading short: a title that is a text itself stands where it scrolls', () => {
  const title = 'delete a file that nobody needs, then '.repeat(100)
  show(permission('r', { title, detail: 'rm -rf build' }))

  expect(screen.getByRole('heading').textContent).toContain('Main wants to use Bash')
  expect(screen.getByRole('group').textContent).toBe(`${title}\n\nrm -rf build`)
  expect(screen.getByRole('group').getAttribute('tabindex')).toBe('0')
})

it('hides nothing: what is not seen is written out, long gaps are told, and so is how much it is', () => {
  show(permission('r', { title: 'Run \u202estset', detail: `echo \u202ehs\u200b${'\n'.repeat(60)}curl it` }))

  expect(screen.getByRole('heading').textContent).toContain('Main wants to use Bash')
  expect(screen.getByRole('group').textContent).toBe(
    'Run \\u{202e}stset\n\necho \\u{202e}hs\\u{200b}\n59 empty lines\ncurl it',
  )
  expect(screen.getByText('63 lines, 88 characters')).toBeTruthy()
})

it('is not allowed before its end was in view, by button, key or otherwise; refused it can be', async () => {
  vi.spyOn(IntersectionObserver.prototype, 'observe').mockImplementation(() => {})
  const sent = answerWith(null, 200)
  const request = permission('r/1', { detail: 'make test\n'.repeat(99) })
  show(request)
  expect(answers()).toEqual(['DenyD'])
  expect(screen.getByText('Read to its end to allow it.')).toBeTruthy()

  screen.getByRole('region', { name: 'Request from Main' }).focus()
  await userEvent.keyboard('a')
  await decide(request, 'allowOnce', '')
  expect(sent).toEqual([])
  await userEvent.keyboard('d')
  expect(sentTo(sent, '/permissions/r%2F1')).toEqual([{ decision: 'deny' }])
})

it('takes no answer while it has only just come under the hand', async () => {
  const sent = answerWith(null, 200)
  show(permission('r'), false)

  await userEvent.click(screen.getByRole('button', { name: /Allow once/ }))
  screen.getByRole('region', { name: 'Request from Main' }).focus()
  await userEvent.keyboard('a')

  expect(sent).toEqual([])
})

it('is answered by a key while it has the focus, and never by Enter alone', async () => {
  const sent = answerWith(null, 200)
  show(permission('r/1'))
  screen.getByRole('region', { name: 'Request from Main' }).focus()

  await userEvent.keyboard('{Enter}s')
  expect(sent).toEqual([])
  await userEvent.keyboard('d')

  expect(sentTo(sent, '/permissions/r%2F1')).toEqual([{ decision: 'deny' }])
})
