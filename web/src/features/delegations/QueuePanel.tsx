import { useStore } from 'zustand'
import { useShallow } from 'zustand/react/shallow'
import { faceOf } from '../../state/agentFace'
import { agentStore, type ProjectAgent } from '../../state/agents'
import { serverNow } from '../../state/connection'
import { delegationStore } from '../../state/delegations'
import { cancelTurn } from '../../state/turns'
import { Glyph } from '../../ui/Glyph'
import { IconButton } from '../../ui/IconButton'
import { useNow } from '../../ui/useNow'
import type { QueuedTurn } from '../../wire/shapes'
import type { Words } from '../../words/en'
import { useLocale, useWords } from '../../words/useWords'
import { age, clockTime, type Locale } from '../../words/words'

/** Who waits for whom, grouped by target, with the reason it waits. Absent while nobody does. */
export function QueuePanel({ projectId }: { projectId: string }) {
  const words = useWords()
  const busy = useStore(
    agentStore,
    useShallow((agents) => [...agents.values()].filter((one) => one.projectId === projectId && one.queue.length > 0)),
  )
  const total = busy.reduce((sum, agent) => sum + agent.queue.length, 0)
  if (total === 0) return null
  return (
    <section className="sec queue" aria-label={words.queue.title}>
      <h2 className="sec-head">
        {words.queue.title} <span className="n">{total}</span>
      </h2>
      {busy.map((agent) => (
        <QueueOf key={agent.id} agent={agent} />
      ))}
    </section>
  )
}

function QueueOf({ agent }: { agent: ProjectAgent }) {
  const words = useWords()
  const locale = useLocale()
  const now = useNow(serverNow)
  const face = faceOf(agent, words, locale, now)
  return (
    <>
      <p className="queue-of">
        <Glyph name={face.glyph} tone={face.tone} />
        <span className="truncate">{agent.name}</span>
        <span className="note">{reasonOf(agent, words, locale) ?? face.word}</span>
      </p>
      <ul>
        {agent.queue.map((turn) => (
          <QueueRow key={turn.turnId} agentId={agent.id} turn={turn} now={now} />
        ))}
      </ul>
    </>
  )
}

function QueueRow({ agentId, turn, now }: { agentId: string; turn: QueuedTurn; now: number }) {
  const words = useWords()
  const number = useStore(delegationStore, (all) => all.get(turn.ticketId ?? '')?.number)
  const who = turn.requester.id === 'human' ? words.you : turn.requester.name
  return (
    <li className="row still" title={turn.preview}>
      <span className="pos">#{turn.position}</span>
      <span>{who}</span>
      {number === undefined ? (
        <span className="muted small truncate">{turn.preview}</span>
      ) : (
        <span className="ref">D-{number}</span>
      )}
      <span className="age">{age(now - turn.sinceAtMs, words)}</span>
      <IconButton
        icon="x"
        size="s"
        label={words.queue.cancel(who)}
        onClick={() => void cancelTurn(agentId, turn.turnId, words.queue.notCancelled)}
      />
    </li>
  )
}

function reasonOf({ readiness }: ProjectAgent, words: Words, locale: Locale): string | null {
  if (readiness.state === 'restarting') return words.queue.held
  if (readiness.state === 'starting') return words.queue.starts
  if (readiness.state === 'rateLimited' && readiness.untilAtMs !== null) {
    return words.queue.resumes(clockTime(readiness.untilAtMs, locale))
  }
  return null
}
