// @vitest-environment jsdom
import '../testing/drawnNothing'
import { cleanup, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, it } from 'vitest'
import { renderInPage } from '../testing/renderInPage'
import { Reveal } from './Reveal'

afterEach(cleanup)

it.each([
  ['a finger', () => userEvent.pointer({ keys: '[TouchA]', target: screen.getByRole('button') })],
  ['the keyboard', () => userEvent.tab()],
])('says more at the touch of %s, and no more with Escape', async (_, reach) => {
  renderInPage(
    <Reveal text="Waits for an answer" className="state">
      needs you
    </Reveal>,
  )
  expect(screen.queryByRole('tooltip')).toBeNull()

  await reach()
  expect((await screen.findByRole('tooltip')).textContent).toBe('Waits for an answer')

  await userEvent.keyboard('{Escape}')
  expect(screen.queryByRole('tooltip')).toBeNull()
})
