// @vitest-environment jsdom
import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, it, vi } from 'vitest'
import { Boundary } from './Boundary'

afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

function Fragile({ isBroken }: { isBroken: () => boolean }) {
  if (isBroken()) throw new Error('cannot be drawn')
  return <p>drawn</p>
}

it('puts what to do in the place of what failed, tells the console once, and draws it anew on demand', async () => {
  const told = vi.spyOn(console, 'error').mockImplementation(() => {})
  let isBroken = true
  render(
    <>
      <p>the rest</p>
      <Boundary
        fallback={({ text, retry }) => (
          <button type="button" onClick={retry}>
            {text}
          </button>
        )}
      >
        <Fragile isBroken={() => isBroken} />
      </Boundary>
    </>,
  )

  expect(screen.getByText('the rest')).toBeTruthy()
  expect(told).toHaveBeenCalledTimes(1)
  isBroken = false
  await userEvent.click(screen.getByRole('button', { name: 'Error: cannot be drawn' }))
  expect(screen.getByText('drawn')).toBeTruthy()
})
