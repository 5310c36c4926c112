import { useId, useState } from 'react'
import { useStore } from 'zustand'
import { useBlocker } from '../../bind/useBlocker'
import { inList } from '../../lib/visibleText'
import { agentStore } from '../../state/agents'
import { blockerOf } from '../../state/blocker'
import { delegationStore, isOpen, type ProjectDelegation } from '../../state/delegations'
import { askEndText } from '../../state/failureText'
import { cancelTurn } from '../../state/turns'
import { Icon } from '../../ui/Icon'
import { IconButton } from '../../ui/IconButton'
import { Markdown } from '../../ui/markdown/Markdown'
import { Sentence } from '../../ui/Sentence'
import { useLocale, useWords } from '../../words/useWords'
import { DelegationSteps } from './DelegationSteps'

interface DelegationCardProps {
  ticketId: string
  /** Shows the target's cell. */
  onShow: (agentId: string) => void
}

/** An ask in the asker's chat: whom, where it stands. Question and answer unfold: the asker tells what came of it below. */
export function DelegationCard({ ticketId, onShow }: DelegationCardProps) {
  const words = useWords()
  const locale = useLocale()
  const ask = useStore(delegationStore, (all) => all.get(ticketId))
  const place = useStore(agentStore, (agents) =>
    agents.get(ask?.targetId ?? '')?.queue.find((turn) => turn.ticketId === ticketId),
  )
  const blocker = useBlocker((known) => (ask === undefined ? null : blockerOf(ask, known)))
  if (ask === undefined) return null
  const stateWord =
    blocker === null
      ? words.delegation[ask.state === 'running' ? 'working' : ask.state]
      : words.delegation.needsYou(blocker)
  const end = ask.state === 'failed' ? askEndText(ask, words, locale) : ''
  return (
    <article className="deleg" aria-label={words.delegation.label(ask.targetName, ask.number, stateWord)}>
      <header className="deleg-head">
        <Icon name="ask" />
        <b className="strong">{ask.targetName}</b>
        <span className="ref">D-{ask.number}</span>
        <span className="soft truncate grow" title={inList(ask.message)}>
          {inList(ask.message)}
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
      {end !== '' && (
        <p className="deleg-why">
          <Sentence text={end} />
        </p>
      )}
      <Exchange ask={ask} />
    </article>
  )
}

function Exchange({ ask }: { ask: ProjectDelegation }) {
  const words = useWords()
  const [isShown, setIsShown] = useState(false)
  const id = useId()
  return (
    <>
      <button
        type="button"
        className="tool deleg-fold"
        aria-expanded={isShown}
        aria-controls={isShown ? id : undefined}
        onClick={() => setIsShown(!isShown)}
      >
        <Icon name={isShown ? 'down' : 'right'} size="s" />
        {isShown ? words.delegation.hideExchange : words.delegation.exchange}
      </button>
      {isShown && (
        <div id={id}>
          <Said icon="ask" label={words.delegation.question} text={ask.message} />
          {ask.reply !== null && <Said icon="chat" label={words.delegation.answer} text={ask.reply} />}
        </div>
      )}
    </>
  )
}

function Said({ icon, label, text }: { icon: 'ask' | 'chat'; label: string; text: string }) {
  return (
    <section className="deleg-answer" aria-label={label}>
      <Icon name={icon} size="s" />
      <div className="grow reply">
        <Markdown text={text} />
      </div>
    </section>
  )
}
