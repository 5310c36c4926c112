import { useStore } from 'zustand'
import { useShallow } from 'zustand/react/shallow'
import { useBlocker } from '../../bind/useBlocker'
import { inList } from '../../lib/visibleText'
import { agentStore } from '../../state/agents'
import { blockerFor } from '../../state/blocker'
import { delegationStore } from '../../state/delegations'
import { type Preview, previewFor } from '../../state/overlay'
import { Glyph } from '../../ui/Glyph'
import { Icon } from '../../ui/Icon'
import type { Words } from '../../words/en'
import { useWords } from '../../words/useWords'

interface PreviewFrameProps {
  agentId: string
  onShow: (agentId: string) => void
}

/** In the requester's cell: the newest word of the agents it asked, or what waits for one. Never stored, gone with the ask. */
export function PreviewFrame({ agentId, onShow }: PreviewFrameProps) {
  const words = useWords()
  const delegations = useStore(delegationStore)
  const preview = useStore(
    agentStore,
    useShallow((agents) => previewFor(agentId, delegations, agents)),
  )
  const blocker = useBlocker((known) => blockerFor(agentId, known))
  if (preview === null) return null
  const isQueued = preview.queued !== null
  const state = blocker !== null ? 'needs-you' : isQueued ? 'idle' : 'working'
  return (
    <button
      type="button"
      className={`preview is-${state}`}
      data-testid="preview"
      data-ticket={preview.ticketId}
      title={words.cell[isQueued ? 'previewQueued' : 'preview'](preview.targetName)}
      onClick={() => onShow(preview.targetId)}
    >
      {state === 'idle' ? (
        <Icon name="clock" size="s" />
      ) : (
        <Glyph name={blocker === null ? 'working-for' : 'needs-you'} tone={state} />
      )}
      <b>{preview.targetName}</b>
      <span className="truncate">{sayingOf(preview, words)}</span>
      {blocker !== null && (
        <span className="need">
          {blocker === preview.targetName ? words.state.needsYou : words.delegation.needsYou(blocker)}
        </span>
      )}
    </button>
  )
}

function sayingOf({ text, queued, place }: Preview, words: Words): string {
  if (queued !== null) {
    const where = place === null ? words.delegation.queued : words.delegation.queuedAt(place)
    return `${where} · ${inList(queued)}`
  }
  return text === null ? words.cell.previewWaiting : inList(text)
}
