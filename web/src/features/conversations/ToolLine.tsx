import { useId, useState } from 'react'
import { visible } from '../../lib/visibleText'
import { Icon } from '../../ui/Icon'
import { Verbatim } from '../../ui/Verbatim'
import type { Tool } from '../../wire/shapes'
import { useWords } from '../../words/useWords'
import { aboutOf } from './aboutOf'

/** What a tool did, folded to a line; unfolds to all of that line, and to its input or result. */
export function ToolLine({ tool }: { tool: Tool }) {
  const words = useWords()
  const [isOpen, setIsOpen] = useState(false)
  const id = useId()
  const hasDetail = tool.detail !== ''
  const about = aboutOf(tool)
  const unfolds = hasDetail || about !== ''
  const phase = { started: words.chat.toolRunning, failed: words.chat.toolFailed, ended: '' }[tool.phase]
  return (
    <>
      <button
        type="button"
        className={`tool ${tool.phase}`}
        aria-expanded={unfolds ? isOpen : undefined}
        aria-controls={isOpen && hasDetail ? id : undefined}
        onClick={() => setIsOpen(unfolds && !isOpen)}
      >
        <Icon name={isOpen ? 'down' : 'right'} size="s" />
        <span className="nowrap">{visible(tool.tool)}</span>
        {about !== '' && <span className={isOpen ? 'mono whole' : 'mono truncate'}>{visible(about)}</span>}
        {phase !== '' && (
          <span className={tool.phase === 'failed' ? 't state is-danger' : 't state is-working'}>{phase}</span>
        )}
      </button>
      {isOpen && hasDetail && (
        <pre className="tool-detail" id={id}>
          <code>
            <Verbatim text={tool.detail} />
          </code>
        </pre>
      )}
    </>
  )
}
