// @vitest-environment jsdom
import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { Boundary } from './Boundary'

beforeEach(() => {
  // React tells of every fault there, as it should.
  vi.spyOn(console, 'error').mockImplementation(() => {})
})
afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

function Part({ isBroken }: { isBroken: () => boolean }) {
  if (isBroken()) throw new RangeError('too deep')
  return <p>here it is</p>
}

it('keeps a fault of one part from the others, and lets it be tried again', async () => {
  let isBroken = true
  render(
    <>
      <p>beside it</p>
      <Boundary
        face={(again) => (
          <button type="button" onClick={again}>
            Try again
          </button>
        )}
      >
        <Part isBroken={() => isBroken} />
      </Boundary>
    </>,
  )

  expect(screen.getByText('beside it')).toBeTruthy()
  isBroken = false
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
  expect(screen.getByText('here it is')).toBeTruthy()
})
