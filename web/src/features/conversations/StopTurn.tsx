import { useState } from 'react'
import { interruptTurn } from '../../state/turns'
import { useWords } from '../../words/useWords'

/** Pressed once a turn: what follows has a button of its own again. */
export function StopTurn({ agentId, turnId }: { agentId: string; turnId: string }) {
  const words = useWords()
  const [stopped, setStopped] = useState<string | null>(null)
  const stop = () => {
    setStopped(turnId)
    void interruptTurn(agentId, turnId, words.chat.notStopped).finally(() => setStopped(null))
  }
  return (
    <button type="button" className="btn s" disabled={stopped === turnId} onClick={stop}>
      {stopped === turnId ? words.chat.stopping : words.chat.stop}
    </button>
  )
}
