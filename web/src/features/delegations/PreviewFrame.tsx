import { useStore } from 'zustand'
import { useShallow } from 'zustand/react/shallow'
import { agentStore } from '../../state/agents'
import { delegationStore } from '../../state/delegations'
import { previewFor } from '../../state/overlay'
import { Glyph } from '../../ui/Glyph'
import { useWords } from '../../words/useWords'

interface PreviewFrameProps {
  agentId: string
  onShow: (agentId: string) => void
}

/** In the requester's cell: the newest word of the agents it asked. Never stored, gone with the ask. */
export function PreviewFrame({ agentId, onShow }: PreviewFrameProps) {
  const words = useWords()
  const delegations = useStore(delegationStore)
  const preview = useStore(
    agentStore,
    useShallow((agents) => previewFor(agentId, delegations, agents)),
  )
  if (preview === null) return null
  return (
    <button
      type="button"
      className={preview.waits === null ? 'preview is-working' : 'preview is-needs-you'}
      data-testid="preview"
      data-ticket={preview.ticketId}
      title={words.cell.preview(preview.targetName)}
      onClick={() => onShow(preview.targetId)}
    >
      {preview.waits === null ? (
        <Glyph name="working-for" tone="working" />
      ) : (
        <Glyph name="needs-you" tone="needs-you" />
      )}
      <b>{preview.targetName}</b>
      <span className="truncate">
        {preview.waits === null
          ? (preview.text ?? words.cell.previewWaiting)
          : words.delegation.needsYou(preview.waits)}
      </span>
    </button>
  )
}
