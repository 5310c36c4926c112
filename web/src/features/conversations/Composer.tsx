import { type FormEvent, type KeyboardEvent, useLayoutEffect, useRef, useState } from 'react'
import { FailureNotice } from '../../bind/FailureNotice'
import type { ProjectAgent } from '../../state/agents'
import { conversationStore } from '../../state/conversations'
import { draftOf, keepDraft } from '../../state/drafts'
import { interruptTurn, sendMessage } from '../../state/turns'
import type { Failure } from '../../wire/outcome'
import { useWords } from '../../words/useWords'
import { QueuedByYou } from './QueuedByYou'

interface ComposerProps {
  agent: ProjectAgent
  onSent: () => void
}

/** Grows from 1 to 8 lines. Enter sends, Shift Enter breaks the line, ↑ in an empty box brings earlier messages back. */
export function Composer({ agent, onSent }: ComposerProps) {
  const words = useWords()
  const [text, setText] = useState(() => draftOf(agent.id))
  const [failure, setFailure] = useState<Failure | null>(null)
  const [isSending, setIsSending] = useState(false)
  const [stopped, setStopped] = useState<string | null>(null)
  const [back, setBack] = useState(0)
  const box = useRef<HTMLTextAreaElement>(null)
  const { liveTurn } = agent

  const write = (next: string, position = 0) => {
    setText(next)
    setBack(position)
    keepDraft(agent.id, next)
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: the height follows the text.
  useLayoutEffect(() => {
    const area = box.current
    if (area === null) return
    area.style.height = 'auto'
    area.style.height = `${area.scrollHeight}px`
  }, [text])

  const send = async () => {
    const message = text.trim()
    if (message === '' || isSending) return
    setIsSending(true)
    const result = await sendMessage(agent.id, message)
    setIsSending(false)
    setFailure(result.ok ? null : result.failure)
    if (!result.ok) return
    write('')
    onSent()
  }
  const recall = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowUp' ? 1 : event.key === 'ArrowDown' && back > 0 ? -1 : 0
    if (step === 0 || (text !== '' && back === 0)) return
    const earlier = ownMessages(agent.id)
    const position = Math.min(back + step, earlier.length)
    event.preventDefault()
    write(position === 0 ? '' : (earlier.at(-position) ?? ''), position)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    // While an input method composes, Enter and the arrows are its own.
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault()
      void send()
    } else if (event.key.startsWith('Arrow')) recall(event)
  }
  const stop = (turnId: string) => {
    setStopped(turnId)
    void interruptTurn(agent.id, turnId, words.chat.notStopped).finally(() => setStopped(null))
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
          onChange={(event) => write(event.target.value)}
          onKeyDown={onKeyDown}
        />
        <div className="compose-foot">
          <span className="truncate grow hint">
            {liveTurn === null ? words.chat.hint : words.chat.sentNext(agent.name)}
          </span>
          {liveTurn !== null && (
            <button
              type="button"
              className="btn s"
              disabled={stopped === liveTurn.turnId}
              onClick={() => stop(liveTurn.turnId)}
            >
              {stopped === liveTurn.turnId ? words.chat.stopping : words.chat.stop}
            </button>
          )}
          <button type="submit" className="btn s primary" disabled={text.trim() === '' || isSending}>
            {words.chat.send}
            <kbd>{words.keys.enter}</kbd>
          </button>
        </div>
      </div>
    </form>
  )
}

/** What the person wrote to this agent, oldest first, as far as it is loaded. */
function ownMessages(agentId: string): string[] {
  const items = conversationStore.getState().get(agentId)?.items ?? []
  return items.filter((item) => item.kind === 'prompt' && item.author === 'human').map((item) => item.text)
}
