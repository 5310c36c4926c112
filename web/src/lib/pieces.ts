/** A long Markdown text in pieces that can be read and drawn one by one. */

const ROUGHLY_CHARS = 8_000
/** From here on a piece ends at the next empty line; a few of them draw in a moment. */
const MOST_CHARS = 12_000
/** With no empty line by then it ends in the middle, as it must end somewhere. */
const MOST_CODE_CHARS = 120_000
/** Code costs little to draw, and is one thing to copy. */

const FENCE = /^ {0,3}(`{3,}|~{3,})(.*)$/

interface Fence {
  mark: string
  opening: string
}

/**
 * All of `text`, in order. Where a piece ends depends only on what stands before, so that the pieces of a growing text
 * stay as they are. A piece that ends within a fence closes it, and the next one opens it again.
 */
export function piecesOf(text: string): string[] {
  if (text.length <= ROUGHLY_CHARS) return [text]
  const pieces: string[] = []
  let start = 0
  let prefix = ''
  let fence: Fence | null = null
  const end = (at: number) => {
    pieces.push(prefix + text.slice(start, at) + (fence === null ? '' : `\n${fence.mark}`))
    prefix = fence === null ? '' : `${fence.opening}\n`
    start = at
  }
  for (let line = 0; line < text.length; ) {
    const newline = text.indexOf('\n', line)
    const next = newline < 0 ? text.length : newline + 1
    const most = fence === null ? MOST_CHARS : MOST_CODE_CHARS
    if (line > start && next - start > most) end(line)
    while (next - start > most) end(wholeBefore(text, start + most))
    const shown = text.slice(line, next).trimEnd()
    fence = fenceAfter(shown, fence)
    if (fence === null && shown === '' && next - start >= ROUGHLY_CHARS) end(next)
    line = next
  }
  if (start < text.length) end(text.length)
  return pieces
}

function fenceAfter(line: string, open: Fence | null): Fence | null {
  const [, mark = '', info = ''] = FENCE.exec(line) ?? []
  if (mark === '') return open
  if (open === null) return mark[0] === '`' && info.includes('`') ? null : { mark, opening: line }
  const closes = info === '' && mark[0] === open.mark[0] && mark.length >= open.mark.length
  return closes ? null : open
}

/** Not between the two halves of one character. */
function wholeBefore(text: string, at: number): number {
  const code = text.charCodeAt(at)
  return code >= 0xdc00 && code <= 0xdfff ? at - 1 : at
}
