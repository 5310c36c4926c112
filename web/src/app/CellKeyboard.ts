/** Takes the keyboard along to a cell: to its composer or terminal, else to what can be chosen there or in its header. */

import type { IDockviewPanel } from 'dockview-react'

const MOST_FRAMES = 30
/** A new cell is empty for a few frames; one that stays empty has nothing to type into. */

export class CellKeyboard {
  #frame = 0

  /** After the cell is drawn, and after a menu that was open gave the focus back. */
  goTo(panel: IDockviewPanel, patience = MOST_FRAMES): void {
    this.dispose()
    this.#frame = requestAnimationFrame(() => {
      const { element } = panel.view.content
      if (element.contains(document.activeElement)) return
      const target =
        placeToType(element) ?? (element.querySelector('.blank') && panel.group.element.querySelector('.pick'))
      if (target instanceof HTMLElement) target.focus({ preventScroll: true })
      if (target !== document.activeElement && patience > 0) this.goTo(panel, patience - 1)
    })
  }

  dispose(): void {
    cancelAnimationFrame(this.#frame)
  }
}

function placeToType(cell: HTMLElement): HTMLElement | null {
  return cell.querySelector<HTMLElement>('textarea') ?? cell.querySelector<HTMLElement>('button')
}
