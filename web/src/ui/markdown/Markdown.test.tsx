// @vitest-environment jsdom
import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, it } from 'vitest'
import { Markdown } from './Markdown'

afterEach(cleanup)

const LONG = `${'so many words of prose '.repeat(40)}\n\n`.repeat(40)

it('begins a long text folded, says how much more there is, and shows all of it on demand', async () => {
  render(<Markdown text={`${LONG}the end`} />)
  expect(screen.queryByText('the end')).toBeNull()

  await userEvent.click(screen.getByRole('button', { name: /^Show all: [\d,]{5,} more characters$/ }))

  expect(await screen.findByText('the end')).toBeTruthy()
  expect(screen.queryByRole('button')).toBeNull()
})

it('shows the end of a long text that is still arriving', () => {
  render(<Markdown text={`the beginning\n\n${LONG}the end`} isStreaming />)

  expect(screen.getByText('the end')).toBeTruthy()
  expect(screen.queryByText('the beginning')).toBeNull()
  expect(screen.getByText(/characters before this/)).toBeTruthy()
})
