/** Somebody writes there, so letters are text and no shortcuts. */
export function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest('input, textarea, select, .xterm, [contenteditable]') !== null
}
