const PATIENCE_MS = 1500
/** A terminal in another font beats none. */

let loading: Promise<unknown> | null = null

/** Settles when the terminal's fonts are there: cells are measured, and glyphs kept, with what is there then. */
export function terminalFonts(): Promise<unknown> {
  loading ??= Promise.race([
    Promise.all(['12px "JetBrains Mono"', 'bold 12px "JetBrains Mono"'].map((font) => document.fonts.load(font))),
    new Promise((resolve) => setTimeout(resolve, PATIENCE_MS)),
  ])
  return loading
}
