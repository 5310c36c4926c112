import type { IDockviewPanel } from 'dockview-react'

/** Where a cell takes the keyboard: its composer or terminal, else what can be chosen there or in its header. */
export function placeToType(panel: IDockviewPanel): HTMLElement | null {
  const { element } = panel.view.content
  // The person is in there already.
  if (element.contains(document.activeElement) && document.activeElement instanceof HTMLElement) {
    return document.activeElement
  }
  const inside = element.querySelector<HTMLElement>('textarea') ?? element.querySelector<HTMLElement>('button')
  if (inside !== null) return inside
  return element.querySelector('.blank') === null ? null : panel.group.element.querySelector<HTMLElement>('.pick')
}
