import { useStore } from 'zustand'
import { useShallow } from 'zustand/react/shallow'
import { inList } from '../../lib/visibleText'
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
      className="preview is-working"
      data-testid="preview"
      data-ticket={preview.ticketId}
      title={words.cell.preview(preview.targetName)}
      onClick={() => onShow(preview.targetId)}
    >
      <Glyph name="working-for" tone="working" />
      <b>{preview.targetName}</b>
      <span className="truncate">{preview.text === null ? words.cell.previewWaiting : inList(preview.text)}</span>
    </button>
  )
}
