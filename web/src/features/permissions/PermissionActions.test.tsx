// @vitest-environment jsdom
import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, it } from 'vitest'
import { agent, permission } from '../../testing/builders'
import { answerWith, sentTo } from '../../testing/fakeServer'
import { RequestCard } from './RequestCard'

afterEach(cleanup)

it('offers exactly the answers that the engine takes', () => {
  render(<RequestCard agent={agent('Main')} permission={permission('r')} />)

  expect(screen.getAllByRole('button').map((button) => button.textContent)).toEqual(['Allow onceA', 'DenyD'])
})

it('shows verbatim what is asked', () => {
  render(<RequestCard agent={agent('Main')} permission={permission('r', { detail: 'rm -rf <b>build</b>' })} />)

  expect(screen.getByText('rm -rf <b>build</b>')).toBeTruthy()
})

it('keeps its heading short: a title that is a text itself stands where it scrolls', () => {
  const title = 'delete a file that nobody needs, then '.repeat(100)
  render(<RequestCard agent={agent('Main')} permission={permission('r', { title, detail: 'rm -rf build' })} />)

  expect(screen.getByRole('heading').textContent).toContain('Main wants to use Bash')
  expect(screen.getByRole('group').textContent).toBe(`${title}\n\nrm -rf build`)
  expect(screen.getByRole('group').getAttribute('tabindex')).toBe('0')
})

it('is answered by a key while it has the focus, and never by Enter alone', async () => {
  const sent = answerWith(null, 200)
  render(<RequestCard agent={agent('Main')} permission={permission('r/1')} />)
  screen.getByRole('region', { name: 'Request from Main' }).focus()

  await userEvent.keyboard('{Enter}s')
  expect(sent).toEqual([])
  await userEvent.keyboard('d')

  expect(sentTo(sent, '/permissions/r%2F1')).toEqual([{ decision: 'deny' }])
})
