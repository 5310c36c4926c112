import { useLayoutEffect } from 'react'
import { cellStore } from '../state/cells'
import { openDialog, openMenu } from '../state/selection'
import type { GridController } from './GridController'
import { isTyping } from './isTyping'

interface KeyTargets {
  grid: GridController | null
  goToNeeds: () => void
}

/** The page's own keys. Alt combinations work everywhere, `?` only where nobody types. */
export function useKeys({ grid, goToNeeds }: KeyTargets): void {
  // Before the cells are drawn, so that whoever sees them can reach them.
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key === '?' && !isTyping(event.target)) {
        event.preventDefault()
        return openDialog({ name: 'shortcuts' })
      }
      if (!event.altKey || event.ctrlKey || event.metaKey) return
      const action = altAction(event.code, grid, goToNeeds)
      if (action === null) return
      event.preventDefault()
      event.stopPropagation()
      action()
    }
    // Captured: a terminal with the focus would take the key for its program.
    window.addEventListener('keydown', onKey, { capture: true })
    return () => window.removeEventListener('keydown', onKey, { capture: true })
  }, [grid, goToNeeds])
}

/** To what a terminal in sight asks or offers, the one in use first. Null where none does: the key is the program's. */
function toAsk(): (() => void) | null {
  const asks = [...document.querySelectorAll('.term-asks:not(:empty)')]
  const here = document.activeElement?.closest('.term-cell') ?? null
  const first = (asks.find((one) => here?.contains(one)) ?? asks[0])?.querySelector<HTMLElement>('button')
  return first == null ? null : () => first.focus()
}

/** By the key's place, because Alt types other characters on many keyboards. */
function altAction(code: string, grid: GridController | null, goToNeeds: () => void): (() => void) | null {
  if (code === 'KeyN') return goToNeeds
  if (code === 'KeyO') return toAsk()
  if (grid === null) return null
  if (code === 'KeyL') return () => openMenu('layouts')
  const digit = /^Digit([1-9])$/.exec(code)?.[1]
  if (digit !== undefined) return () => grid.focusNth(Number(digit) - 1)
  const { focused } = cellStore.getState()
  return code === 'KeyM' && focused !== null ? () => grid.toggleMaximised(focused) : null
}
