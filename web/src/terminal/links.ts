import { WebLinksAddon } from '@xterm/addon-web-links'
import type { ILinkHandler, Terminal } from '@xterm/xterm'
import { isMac } from '../lib/isMac'

/** Up to what ends a sentence; brackets belong to it as long as they are closed in it. */
export const ADDRESS =
  /https?:\/\/(?:[^\s"'<>`{}|\\^()[\]]|\([^\s"'<>`()]*\)|\[[^\s"'<>`[\]]*\])*(?:[^\s"'<>`{}|\\^()[\].,:;!?*]|\([^\s"'<>`()]*\)|\[[^\s"'<>`[\]]*\])/i

type Hover = (uri: string | null) => void

/** Addresses in the text, and links that the program made; neither opens by a plain click, which is for selecting. */
export function findLinks(terminal: Terminal, onHover: Hover): void {
  const hover = (_: MouseEvent, uri: string) => onHover(isWeb(uri) ? shown(uri) : null)
  const leave = () => onHover(null)
  const handler: ILinkHandler = { activate: visit, hover, leave, allowNonHttpProtocols: false }
  terminal.options.linkHandler = handler
  terminal.loadAddon(new WebLinksAddon(visit, { hover, leave, urlRegex: ADDRESS }))
}

function visit(event: MouseEvent, uri: string): void {
  // A finger has no second key to hold, and selects by resting.
  const isMeant = (isMac ? event.metaKey : event.ctrlKey) || matchMedia('(pointer: coarse)').matches
  if (isMeant && isWeb(uri)) window.open(uri, '_blank', 'noopener,noreferrer')
}

function isWeb(uri: string): boolean {
  return /^https?:\/\//i.test(uri)
}

/** As the browser would open it: letters that only look like others show as what they are. */
function shown(uri: string): string {
  return URL.canParse(uri) ? new URL(uri).href : uri
}
