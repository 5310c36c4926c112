// @vitest-environment jsdom
import { cleanup, screen } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { renderInPage } from '../../testing/renderInPage'
import { ToolLine } from './ToolLine'

afterEach(cleanup)

it('names the tool once', () => {
  renderInPage(<ToolLine tool={{ callId: 'c', tool: 'Bash', summary: 'Bash: npm test', phase: 'ended', detail: '' }} />)

  expect(screen.getByRole('button').textContent).toBe('Bashnpm test')
})
