import { type FormEvent, type KeyboardEvent, type ReactNode, type RefObject, useRef, useState } from 'react'
import { useWords } from '../words/useWords'
import { useGrowing } from './useGrowing'

interface MessageBoxProps {
  label: string
  text: string
  onWrite: (text: string) => void
  onSend: () => void
  /** What was sent before, oldest first. */
  earlier: () => readonly string[]
  /** In the foot: what sending means now. */
  hint: string
  /** Why it cannot be sent now. */
  blockedBy?: string | null
  isSending: boolean
  /** What is on its way can still be read, and not changed. */
  isLocked?: boolean
  onEscape?: () => void
  /** In the foot, before the button that sends. */
  actions?: ReactNode
  /** Above the box. */
  children?: ReactNode
  box?: RefObject<HTMLTextAreaElement | null>
}

/** Grows from 1 to 8 lines. Enter sends, Shift Enter breaks the line, ↑ in an empty box brings earlier messages back. */
export function MessageBox({ label, text, onWrite, onSend, earlier, children, ...shown }: MessageBoxProps) {
  const { hint, actions, isSending, isLocked = false, blockedBy = null, onEscape } = shown
  const words = useWords()
  const [back, setBack] = useState(0)
  const own = useRef<HTMLTextAreaElement>(null)
  const box = shown.box ?? own
  const canSend = text.trim() !== '' && !isLocked && blockedBy === null
  useGrowing(box, text)

  const put = (next: string, position = 0) => {
    setBack(position)
    onWrite(next)
  }
  const send = () => {
    if (!canSend) return
    setBack(0)
    onSend()
  }
  const recall = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowUp' ? 1 : event.key === 'ArrowDown' && back > 0 ? -1 : 0
    if (step === 0 || isLocked || (text !== '' && back === 0)) return
    const sent = earlier()
    const position = Math.min(back + step, sent.length)
    event.preventDefault()
    put(position === 0 ? '' : (sent.at(-position) ?? ''), position)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    // While an input method composes, Enter, Esc and the arrows are its own.
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault()
      send()
    } else if (event.key === 'Escape' && onEscape !== undefined) {
      event.preventDefault()
      event.stopPropagation()
      onEscape()
    } else if (event.key.startsWith('Arrow')) recall(event)
  }
  return (
    <form
      className="compose"
      onSubmit={(event: FormEvent) => {
        event.preventDefault()
        send()
      }}
    >
      {children}
      <div className="compose-box">
        <textarea
          ref={box}
          rows={1}
          aria-label={label}
          placeholder={label}
          value={text}
          readOnly={isLocked}
          enterKeyHint="send"
          onChange={(event) => put(event.target.value)}
          onKeyDown={onKeyDown}
        />
        <div className="compose-foot">
          {isSending ? (
            <span className="truncate grow" role="status">
              {words.chat.sending}
            </span>
          ) : (
            <span className={blockedBy === null ? 'truncate grow hint' : 'grow blocked'}>{blockedBy ?? hint}</span>
          )}
          {actions}
          <button type="submit" className="btn s primary" disabled={!canSend}>
            {words.chat.send}
            <kbd>{words.keys.enter}</kbd>
          </button>
        </div>
      </div>
    </form>
  )
}
