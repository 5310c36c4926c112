import { useState } from 'react'
import type { ProjectAgent } from '../../state/agents'
import { useWords } from '../../words/useWords'
import { DeleteAgent } from './DeleteAgent'

interface AgentDialogFootProps {
  /** Undefined while there is none to delete. */
  agent: ProjectAgent | undefined
  saveLabel: string
  canSave: boolean
  onClose: () => void
}

/** Save and cancel, or the question whether the agent is to be deleted. */
export function AgentDialogFoot({ agent, saveLabel, canSave, onClose }: AgentDialogFootProps) {
  const words = useWords()
  const [isDeleting, setIsDeleting] = useState(false)
  if (isDeleting && agent !== undefined) {
    return (
      <footer className="dialog-foot">
        <DeleteAgent agent={agent} onDeleted={onClose} onCancel={() => setIsDeleting(false)} />
      </footer>
    )
  }
  return (
    <footer className="dialog-foot">
      {agent !== undefined && (
        <button type="button" className="btn danger start" onClick={() => setIsDeleting(true)}>
          {words.form.deleteButton}
        </button>
      )}
      <button type="button" className="btn quiet" onClick={onClose}>
        {words.cancel}
      </button>
      <button type="submit" className="btn primary" disabled={!canSave}>
        {saveLabel}
      </button>
    </footer>
  )
}
