import { useState } from 'react'
import { useEnding } from '../../bind/useEnding'
import type { ProjectAgent } from '../../state/agents'
import { deleteAgent } from '../../state/saveAgent'
import { useWords } from '../../words/useWords'

interface DeleteAgentProps {
  agent: ProjectAgent
  onDeleted: () => void
  onCancel: () => void
}

/** Asks once more in place of the dialog's other buttons, saying what goes and what stays. */
export function DeleteAgent({ agent, onDeleted, onCancel }: DeleteAgentProps) {
  const words = useWords()
  const ends = useEnding(agent.id)
  const [isUnderWay, setIsUnderWay] = useState(false)
  const remove = async () => {
    setIsUnderWay(true)
    if (await deleteAgent(agent, words.form.notDeleted)) onDeleted()
    else onCancel()
  }
  return (
    <div className="start confirm" role="alertdialog" aria-label={words.form.deleteTitle(agent.name)}>
      <p className="small">
        <b className="strong">{words.form.deleteTitle(agent.name)}</b> {words.form.deleteDetail}
        {ends !== '' && ` ${words.form.deleteEnds(ends)}`}
      </p>
      <button type="button" className="btn s quiet" disabled={isUnderWay} onClick={onCancel}>
        {words.cancel}
      </button>
      <button type="button" className="btn s danger" disabled={isUnderWay} onClick={() => void remove()}>
        {words.delete}
      </button>
    </div>
  )
}
