import { type FormEvent, type KeyboardEvent, useRef, useState } from 'react'
import { useStore } from 'zustand'
import { FailureNotice } from '../../bind/FailureNotice'
import type { ProjectAgent } from '../../state/agents'
import { ownMessages } from '../../state/conversations'
import { NOTHING, sendWritten, write, writingStore } from '../../state/writing'
import { useGrowing } from '../../ui/useGrowing'
import { useWords } from '../../words/useWords'
import { QueuedByYou } from './QueuedByYou'
import { StopTurn } from './StopTurn'

interface ComposerProps {
  agent: ProjectAgent
  onSent: () => void
}

/** Grows from 1 to 8 lines. Enter sends, Shift Enter breaks the line, ↑ in an empty box brings earlier messages back. */
export function Composer({ agent, onSent }: ComposerProps) {
  const words = useWords()
  const { text, sending, failure } = useStore(writingStore, (all) => all.get(agent.id) ?? NOTHING)
  const [back, setBack] = useState(0)
  const box = useRef<HTMLTextAreaElement>(null)
  const { liveTurn } = agent
  useGrowing(box, text)

  const put = (next: string, position = 0) => {
    setBack(position)
    write(agent.id, next)
  }
  const send = async () => {
    setBack(0)
    if (await sendWritten(agent.id)) onSent()
  }
  const recall = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowUp' ? 1 : event.key === 'ArrowDown' && back > 0 ? -1 : 0
    if (step === 0 || (text !== '' && back === 0)) return
    const earlier = ownMessages(agent.id)
    const position = Math.min(back + step, earlier.length)
    event.preventDefault()
    put(position === 0 ? '' : (earlier.at(-position) ?? ''), position)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    // While an input method composes, Enter and the arrows are its own.
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault()
      void send()
    } else if (event.key.startsWith('Arrow')) recall(event)
  }
  return (
    <form
      className="compose"
      onSubmit={(event: FormEvent) => {
        event.preventDefault()
        void send()
      }}
    >
      <QueuedByYou agent={agent} />
      {failure !== null && <FailureNotice title={words.chat.notSent} failure={failure} />}
      <div className="compose-box">
        <textarea
          ref={box}
          rows={1}
          aria-label={words.chat.message(agent.name)}
          placeholder={words.chat.message(agent.name)}
          value={text}
          onChange={(event) => put(event.target.value)}
          onKeyDown={onKeyDown}
        />
        <div className="compose-foot">
          {sending.length > 0 ? (
            <span className="truncate grow" role="status">
              {words.chat.sending}
            </span>
          ) : (
            <span className="truncate grow hint">
              {liveTurn === null ? words.chat.hint : words.chat.sentNext(agent.name)}
            </span>
          )}
          {liveTurn !== null && <StopTurn agentId={agent.id} turnId={liveTurn.turnId} />}
          <button type="submit" className="btn s primary" disabled={text.trim() === ''}>
            {words.chat.send}
            <kbd>{words.keys.enter}</kbd>
          </button>
        </div>
      </div>
    </form>
  )
}
