// @vitest-environment jsdom
import { cleanup, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { renderInPage } from '../../testing/renderInPage'
import { CodeFigure } from './CodeFigure'

afterEach(cleanup)

const shown = () => screen.getByRole('group').innerHTML
const figure = (text: string, isGrowing = false) => (
  <CodeFigure code={{ kind: 'code', title: '', language: 'python', text }} isGrowing={isGrowing} />
)

it('colours complete code, and never shows it in place of other code', async () => {
  const { rerender } = renderInPage(figure('import os'))
  await waitFor(() => expect(shown()).toContain('hljs-keyword'))

  rerender(figure('import sys'))
  expect(shown()).toBe('<code>import sys</code>')
  await waitFor(() => expect(shown()).toContain('hljs-keyword'))

  rerender(figure('import sys', true))
  expect(shown()).toBe('<code>import sys</code>')
})
