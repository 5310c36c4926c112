import type { ITheme } from '@xterm/xterm'

/** The terminal's colours from the page's tokens, as they are now on `element`. */
export function terminalTheme(element: Element): ITheme {
  const style = getComputedStyle(element)
  const token = (name: string) => style.getPropertyValue(`--${name}`).trim()
  return {
    background: token('term-bg'),
    foreground: token('term-fg'),
    cursor: token('term-cursor'),
    cursorAccent: token('term-bg'),
    selectionBackground: token('term-selection'),
    scrollbarSliderBackground: token('surface-4'),
    scrollbarSliderHoverBackground: token('line-control'),
    scrollbarSliderActiveBackground: token('line-control'),
    overviewRulerBorder: token('term-bg'),
    black: token('ansi-black'),
    red: token('ansi-red'),
    green: token('ansi-green'),
    yellow: token('ansi-yellow'),
    blue: token('ansi-blue'),
    magenta: token('ansi-magenta'),
    cyan: token('ansi-cyan'),
    white: token('ansi-white'),
    brightBlack: token('ansi-bright-black'),
    brightRed: token('ansi-bright-red'),
    brightGreen: token('ansi-bright-green'),
    brightYellow: token('ansi-bright-yellow'),
    brightBlue: token('ansi-bright-blue'),
    brightMagenta: token('ansi-bright-magenta'),
    brightCyan: token('ansi-bright-cyan'),
    brightWhite: token('ansi-bright-white'),
  }
}

/** The least contrast of a letter with what is behind it, whatever two colours a program chose: 1 … 21. */
export function terminalContrast(element: Element): number {
  return Number(getComputedStyle(element).getPropertyValue('--term-contrast')) || 1
}
