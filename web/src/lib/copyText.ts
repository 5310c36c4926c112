/** Into the clipboard, upon a gesture of the person; false if the browser refuses. */
export async function copyText(text: string): Promise<boolean> {
  try {
    // Browsers have none on an address that is neither theirs nor encrypted.
    if (navigator.clipboard !== undefined) {
      await navigator.clipboard.writeText(text)
      return true
    }
  } catch {
    // Refused, or the page has not the focus: the older way may still do.
  }
  return copyBySelection(text)
}

function copyBySelection(text: string): boolean {
  const before = document.activeElement
  const box = document.createElement('textarea')
  box.value = text
  box.style.position = 'fixed'
  box.style.opacity = '0'
  document.body.append(box)
  box.select()
  const isCopied = document.execCommand('copy')
  box.remove()
  if (before instanceof HTMLElement) before.focus()
  return isCopied
}
