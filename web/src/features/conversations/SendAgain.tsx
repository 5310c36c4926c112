import { type MouseEvent, useState } from 'react'
import { useStore } from 'zustand'
import { conversationStore, messageToSendAgain } from '../../state/conversations'
import { sendAgain } from '../../state/writing'
import type { Item } from '../../wire/shapes'
import { useWords } from '../../words/useWords'

/** For a message that never came to the agent, as long as the person has not sent it again. */
export function SendAgain({ failure }: { failure: Item }) {
  const words = useWords()
  const { agentId } = failure
  const text = useStore(conversationStore, (all) => messageToSendAgain(all.get(agentId)?.items ?? [], failure))
  const [isSent, setIsSent] = useState(false)
  if (text === null || isSent) return null
  const send = async (event: MouseEvent) => {
    // The button goes away, and would leave the keyboard nowhere.
    event.currentTarget.closest('.chat')?.querySelector('textarea')?.focus()
    setIsSent(true)
    setIsSent(await sendAgain(agentId, text))
  }
  return (
    <button type="button" className="btn s" onClick={(event) => void send(event)}>
      {words.chat.sendAgain}
    </button>
  )
}
