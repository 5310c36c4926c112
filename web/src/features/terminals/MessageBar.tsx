import { useEffect, useRef } from 'react'
import { useStore } from 'zustand'
import { FailureNotice } from '../../bind/FailureNotice'
import type { ProjectAgent } from '../../state/agents'
import { ownMessages } from '../../state/conversations'
import { promptBlock } from '../../state/promptBlock'
import { forgetNotTyped, NOTHING, typeWritten, write, writingStore } from '../../state/writing'
import { IconButton } from '../../ui/IconButton'
import { MessageBox } from '../../ui/MessageBox'
import type { Failure } from '../../wire/outcome'
import { useWords } from '../../words/useWords'

interface MessageBarProps {
  agent: ProjectAgent
  /** Null where it belongs to the cell; else it was asked for, and takes the keyboard. */
  onClose: (() => void) | null
}

/** A message that is typed into the terminal for the person, and stands here until the terminal shows that it was taken. */
export function MessageBar({ agent, onClose }: MessageBarProps) {
  const words = useWords()
  const { text, sending, typed, notTyped } = useStore(writingStore, (all) => all.get(agent.id) ?? NOTHING)
  const box = useRef<HTMLTextAreaElement>(null)
  const block = promptBlock(agent.readiness)
  const isSending = sending.length > 0
  const isAskedFor = onClose !== null
  useEffect(() => {
    if (isAskedFor) box.current?.focus()
  }, [isAskedFor])
  const dismiss = (
    <button type="button" className="btn s" onClick={() => forgetNotTyped(agent.id)}>
      {words.dismiss}
    </button>
  )
  return (
    <section className="term-bar" aria-label={words.terminal.bar.label(agent.name)}>
      <MessageBox
        label={words.chat.message(agent.name)}
        text={isSending ? sending.map((message) => message.text).join('\n\n') : text}
        onWrite={(next) => write(agent.id, next)}
        onSend={() => void typeWritten(agent.id)}
        earlier={() => [...ownMessages(agent.id), ...typed]}
        hint={words.chat.hint}
        blockedBy={block === null ? null : words.terminal.bar.blocked[block](agent.name)}
        isSending={isSending}
        isLocked={isSending}
        box={box}
        {...(onClose === null ? {} : { onEscape: onClose })}
        actions={
          onClose !== null && <IconButton icon="x" size="s" label={words.terminal.bar.close} onClick={onClose} />
        }
      >
        {notTyped !== null && (
          <FailureNotice
            title={isUnclear(notTyped) ? words.terminal.bar.unclear : words.chat.notSent}
            failure={notTyped}
            actions={dismiss}
          />
        )}
      </MessageBox>
    </section>
  )
}

/** It may stand in the program's own input line. */
function isUnclear({ fields }: Failure): boolean {
  return fields.why === 'promptUnconfirmed'
}
