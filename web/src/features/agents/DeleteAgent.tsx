import { useState } from 'react'
import type { ProjectAgent } from '../../state/agents'
import { postFailure } from '../../state/notices'
import { api } from '../../wire/api'
import { useWords } from '../../words/useWords'

/** Asks once more in place, saying what goes and what stays. */
export function DeleteAgent({ agent, onDeleted }: { agent: ProjectAgent; onDeleted: () => void }) {
  const words = useWords()
  const [isAsking, setIsAsking] = useState(false)
  const remove = async () => {
    const result = await api.deleteAgent({ project: agent.projectId, agent: agent.id })
    if (result.ok) return onDeleted()
    setIsAsking(false)
    postFailure(words.form.notDeleted, result.failure)
  }
  if (!isAsking) {
    return (
      <button type="button" className="btn danger start" onClick={() => setIsAsking(true)}>
        {words.form.deleteButton}
      </button>
    )
  }
  return (
    <div className="start confirm" role="alertdialog" aria-label={words.form.deleteTitle(agent.name)}>
      <p className="small">
        <b className="strong">{words.form.deleteTitle(agent.name)}</b> {words.form.deleteDetail}
      </p>
      <button type="button" className="btn s danger" onClick={() => void remove()}>
        {words.delete}
      </button>
      <button type="button" className="btn s quiet" onClick={() => setIsAsking(false)}>
        {words.cancel}
      </button>
    </div>
  )
}
