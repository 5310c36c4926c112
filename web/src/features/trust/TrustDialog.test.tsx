// @vitest-environment jsdom
import { cleanup, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, it } from 'vitest'
import { project } from '../../testing/builders'
import { renderInPage } from '../../testing/renderInPage'
import type { TrustItem } from '../../wire/shapes'
import { TrustDialog } from './TrustDialog'

afterEach(cleanup)

function show(...texts: string[]): void {
  const items = texts.map(
    (text): TrustItem => ({ kind: 'hook', file: '.claude/settings.json', text, note: null, fields: {} }),
  )
  renderInPage(<TrustDialog project={project({ trust: { isTrusted: false, hash: 'h', items } })} onClose={() => {}} />)
}

const approve = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Approve and trust' })
const shown = () => screen.getAllByRole('listitem').map((item) => item.textContent)

it('takes an approval at once where all is shown, and tells what pushes the rest out of sight', () => {
  show(`Stop: make test${' '.repeat(4000)}; touch it`)

  expect(shown()).toEqual(['hookStop: make test4,000 spaces; touch it'])
  expect(approve().disabled).toBe(false)
})

it('takes none before every folded command was shown whole', async () => {
  show(`Stop: ${'x'.repeat(1000)}; touch it`, `Stop: ${'echo\n'.repeat(30)}curl it`, 'Stop: short')
  expect(screen.queryByText(/curl it/)).toBeNull()
  expect(approve().disabled).toBe(true)
  expect(screen.getByText('Show all of 2 folded texts to approve.')).toBeTruthy()

  await userEvent.click(screen.getByRole('button', { name: 'Show all: 1 line, 1,016 characters' }))
  expect(shown()[0]).toMatch(/x; touch it$/)
  expect(approve().disabled).toBe(true)
  await userEvent.click(screen.getByRole('button', { name: 'Show all: 31 lines, 163 characters' }))

  expect(screen.getByText(/curl it/)).toBeTruthy()
  expect(approve().disabled).toBe(false)
})
