/** Where the focus goes when what covered the page is gone. */

/** What has the focus now; for an entry of a menu, which goes away, the button that opened the menu. */
export function findOpener(): HTMLElement | null {
  let found = document.activeElement
  for (let menu = found?.closest('[role=menu]'); menu; menu = found?.closest('[role=menu]')) {
    found = document.getElementById(menu.getAttribute('aria-labelledby') ?? '')
  }
  return found instanceof HTMLElement && found !== document.body ? found : null
}

/** On `opener`; where it is gone, at the start of the page's main part, so that the keyboard goes on from there. */
export function focusAgain(opener: HTMLElement | null): void {
  if (opener !== null && canTakeFocus(opener)) return opener.focus()
  const main = document.querySelector<HTMLElement>('main')
  if (main === null) return
  main.tabIndex = -1
  main.focus()
}

function canTakeFocus(element: HTMLElement): boolean {
  return element.isConnected && !element.matches(':disabled') && element.getClientRects().length > 0
}
