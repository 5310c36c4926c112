import { type RenderResult, render } from '@testing-library/react'
import { Tooltip } from 'radix-ui'
import type { ReactElement } from 'react'

/** Renders with what the page puts around every component; in English. */
export function renderInPage(element: ReactElement): RenderResult {
  return render(element, { wrapper: Tooltip.Provider })
}
