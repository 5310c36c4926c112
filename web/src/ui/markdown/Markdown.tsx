import { memo, useMemo } from 'react'
import { CodeFigure } from './CodeFigure'
import { renderMarkdown } from './renderMarkdown'

interface MarkdownProps {
  text: string
  /** Text is still arriving: a caret stands at its end. */
  isStreaming?: boolean
}

export const Markdown = memo(function Markdown({ text, isStreaming = false }: MarkdownProps) {
  const parts = useMemo(() => renderMarkdown(text), [text])
  const last = parts.length - 1
  return (
    <>
      {parts.map((part, index) =>
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
      )}
    </>
  )
})
