import { calm } from '../../lib/visibleText'
import type { ProjectAgent } from '../../state/agents'
import { isPerson } from '../../state/person'
import { takeBack } from '../../state/writing'
import { Icon } from '../../ui/Icon'
import { IconButton } from '../../ui/IconButton'
import { useWords } from '../../words/useWords'

/** The person's own messages that wait for their turn, each with its place and a way to take it back into the box. */
export function QueuedByYou({ agent }: { agent: ProjectAgent }) {
  const words = useWords()
  const own = agent.queue.filter((turn) => isPerson(turn.requester.id) && turn.ticketId === null)
  if (own.length === 0) return null
  return (
    <ul className="queued-own" aria-label={words.queue.title}>
      {own.map((turn) => (
        <li key={turn.turnId}>
          <Icon name="clock" size="s" />
          <span className="nowrap">{words.queue.youAre(turn.position)}</span>
          <span className="soft truncate grow">{calm(turn.preview)}</span>
          <IconButton
            icon="x"
            size="s"
            label={words.queue.takeBack}
            onClick={() => void takeBack(agent.id, turn.turnId, words.queue.notCancelled)}
          />
        </li>
      ))}
    </ul>
  )
}
