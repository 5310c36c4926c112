import { useStore } from 'zustand'
import { Since } from '../../bind/Since'
import { calm } from '../../lib/visibleText'
import { delegationStore } from '../../state/delegations'
import { isPerson } from '../../state/person'
import { cancelTurn } from '../../state/turns'
import { takeBack } from '../../state/writing'
import { IconButton } from '../../ui/IconButton'
import type { QueuedTurn } from '../../wire/shapes'
import { useWords } from '../../words/useWords'

/** Who waits, for how long, and a way to take it out of the queue. */
export function QueueRow({ agentId, turn }: { agentId: string; turn: QueuedTurn }) {
  const words = useWords()
  const number = useStore(delegationStore, (all) => all.get(turn.ticketId ?? '')?.number)
  const isOwn = isPerson(turn.requester.id)
  const who = isOwn ? words.you : turn.requester.name
  // The person's own message would be lost; who asked is told, and knows what it asked.
  const takeOut = isOwn && turn.ticketId === null ? takeBack : cancelTurn
  return (
    <li className="row still" title={calm(turn.preview)}>
      <span className="pos">#{turn.position}</span>
      <span>{who}</span>
      {number === undefined ? (
        <span className="muted small truncate">{calm(turn.preview)}</span>
      ) : (
        <span className="ref">D-{number}</span>
      )}
      <span className="age">
        <Since atMs={turn.sinceAtMs} />
      </span>
      <IconButton
        icon="x"
        size="s"
        label={words.queue.cancel(who)}
        onClick={() => void takeOut(agentId, turn.turnId, words.queue.notCancelled)}
      />
    </li>
  )
}
