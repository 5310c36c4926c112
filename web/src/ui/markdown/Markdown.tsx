import { memo, useMemo } from 'react'
import { piecesOf } from '../../lib/pieces'
import { useLocale, useWords } from '../../words/useWords'
import { grouped } from '../../words/words'
import { Boundary } from '../Boundary'
import { CodeFigure } from './CodeFigure'
import { renderMarkdown } from './renderMarkdown'
import { useShownPieces } from './useShownPieces'

const SHOWN_PIECES = 3
/** Of a longer text, until the person wants all of it. */

interface MarkdownProps {
  text: string
  /** Text is still arriving: a caret stands at its end. */
  isStreaming?: boolean
}

/** What an agent wrote, at any length: a long text is drawn in pieces, and begins folded. */
export const Markdown = memo(function Markdown({ text, isStreaming = false }: MarkdownProps) {
  const pieces = useMemo(() => piecesOf(text), [text])
  // Of what is arriving, the end is what is read.
  return isStreaming ? <Arriving pieces={pieces} /> : <Whole pieces={pieces} />
})

function Whole({ pieces }: { pieces: readonly string[] }) {
  const words = useWords()
  const locale = useLocale()
  const { count, isFolded, showAll } = useShownPieces(pieces.length, SHOWN_PIECES)
  const hidden = isFolded ? charsOf(pieces.slice(count)) : 0
  return (
    <>
      {pieces.slice(0, count).map((piece, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: pieces have no other identity.
        <Piece key={index} text={piece} />
      ))}
      {isFolded && (
        <button type="button" className="btn s" onClick={showAll}>
          {words.chat.showRest(grouped(hidden, locale))}
        </button>
      )}
    </>
  )
}

function Arriving({ pieces }: { pieces: readonly string[] }) {
  const words = useWords()
  const locale = useLocale()
  const from = Math.max(0, pieces.length - SHOWN_PIECES)
  return (
    <>
      {from > 0 && <p className="muted small">{words.chat.before(grouped(charsOf(pieces.slice(0, from)), locale))}</p>}
      {pieces.slice(from).map((piece, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: its place in the text is what a piece is known by.
        <Piece key={from + index} text={piece} isStreaming={from + index === pieces.length - 1} />
      ))}
    </>
  )
}

/** As it was written where it cannot be drawn otherwise. */
const Piece = memo(function Piece({ text, isStreaming = false }: MarkdownProps) {
  return (
    <Boundary fallback={() => <p className="md plain">{text}</p>}>
      <Drawn text={text} isStreaming={isStreaming} />
    </Boundary>
  )
})

function Drawn({ text, isStreaming }: Required<MarkdownProps>) {
  const parts = useMemo(() => renderMarkdown(text), [text])
  const last = parts.length - 1
  return parts.map((part, index) =>
    part.kind === 'code' ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: parts have no other identity, and only the last one grows.
      <CodeFigure key={index} code={part} isGrowing={isStreaming && index === last} />
    ) : (
      <div
        // biome-ignore lint/suspicious/noArrayIndexKey: as above.
        key={index}
        className={isStreaming && index === last ? 'md streaming' : 'md'}
        // biome-ignore lint/security/noDangerouslySetInnerHtml: sanitised by renderMarkdown.
        dangerouslySetInnerHTML={{ __html: part.html }}
      />
    ),
  )
}

function charsOf(pieces: readonly string[]): number {
  return pieces.reduce((sum, piece) => sum + piece.length, 0)
}
