import { useState } from 'react'
import { useStore } from 'zustand'
import { agentStore } from '../../state/agents'
import { delegationStore, isOpen } from '../../state/delegations'
import { cancelTurn } from '../../state/turns'
import { Icon } from '../../ui/Icon'
import { IconButton } from '../../ui/IconButton'
import { Markdown } from '../../ui/markdown/Markdown'
import { useWords } from '../../words/useWords'
import { DelegationSteps } from './DelegationSteps'

interface DelegationCardProps {
  ticketId: string
  /** Shows the target's cell. */
  onShow: (agentId: string) => void
}

const SHORT_CHARS = 420
/** A longer answer is folded: the card must not push the conversation away. */

/** An ask in the asker's chat: whom, what, where it stands, and the answer. */
export function DelegationCard({ ticketId, onShow }: DelegationCardProps) {
  const words = useWords()
  const ask = useStore(delegationStore, (all) => all.get(ticketId))
  const place = useStore(agentStore, (agents) =>
    agents.get(ask?.targetId ?? '')?.queue.find((turn) => turn.ticketId === ticketId),
  )
  const [isWhole, setIsWhole] = useState(false)
  if (ask === undefined) return null
  const answer = ask.reply
  const isLong = answer !== null && answer.length > SHORT_CHARS
  const stateWord = words.delegation[ask.state === 'running' ? 'working' : ask.state]
  return (
    <article className="deleg" aria-label={words.delegation.label(ask.targetName, ask.number, stateWord)}>
      <header className="deleg-head">
        <Icon name="ask" />
        <b className="strong">{ask.targetName}</b>
        <span className="ref">D-{ask.number}</span>
        <span className="soft truncate grow" title={ask.message}>
          {ask.message}
        </span>
        {place !== undefined && isOpen(ask) ? (
          <IconButton
            icon="x"
            label={words.delegation.cancel}
            onClick={() => void cancelTurn(ask.targetId, place.turnId, words.queue.notCancelled)}
          />
        ) : (
          <IconButton icon="open" label={words.delegation.open(ask.number)} onClick={() => onShow(ask.targetId)} />
        )}
      </header>
      <DelegationSteps ask={ask} position={place?.position ?? null} />
      {ask.state === 'failed' && ask.explanation !== null && <p className="deleg-why">{ask.explanation}</p>}
      {answer !== null && (
        <div className="deleg-answer">
          <Icon name="chat" size="s" />
          <div className="grow">
            <div className={isLong && !isWhole ? 'reply folded' : 'reply'}>
              <Markdown text={answer} />
            </div>
            {isLong && (
              <button
                type="button"
                className="btn s quiet"
                aria-expanded={isWhole}
                onClick={() => setIsWhole(!isWhole)}
              >
                {isWhole ? words.delegation.lessAnswer : words.delegation.wholeAnswer}
              </button>
            )}
          </div>
        </div>
      )}
    </article>
  )
}
