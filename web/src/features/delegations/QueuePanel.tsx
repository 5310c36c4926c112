import { useStore } from 'zustand'
import { useShallow } from 'zustand/react/shallow'
import { useFace } from '../../bind/useFace'
import { type Agents, agentStore, type ProjectAgent } from '../../state/agents'
import { Glyph } from '../../ui/Glyph'
import type { Words } from '../../words/en'
import { useLocale, useWords } from '../../words/useWords'
import { clockTime, type Locale } from '../../words/words'
import { QueueRest } from './QueueRest'
import { QueueRow } from './QueueRow'

/** Who waits for whom, grouped by target, with the reason it waits. Absent while nobody does. */
export function QueuePanel({ projectId }: { projectId: string }) {
  const words = useWords()
  const ids = useStore(
    agentStore,
    useShallow((agents) => waitedFor(agents, projectId).map((one) => one.id)),
  )
  const total = useStore(agentStore, (agents) =>
    waitedFor(agents, projectId).reduce((sum, one) => sum + one.queueLength, 0),
  )
  if (total === 0) return null
  return (
    <section className="sec queue" aria-label={words.queue.title}>
      <h2 className="sec-head">
        {words.queue.title} <span className="n">{total}</span>
      </h2>
      {ids.map((id) => (
        <QueueOf key={id} agentId={id} />
      ))}
    </section>
  )
}

function waitedFor(agents: Agents, projectId: string): ProjectAgent[] {
  return [...agents.values()].filter((one) => one.projectId === projectId && one.queueLength > 0)
}

function QueueOf({ agentId }: { agentId: string }) {
  const agent = useStore(agentStore, (agents) => agents.get(agentId))
  if (agent === undefined) return null
  const unseen = agent.queueLength - agent.queue.length
  return (
    <>
      <Target agent={agent} />
      <ul>
        {agent.queue.map((turn) => (
          <QueueRow key={turn.turnId} agentId={agent.id} turn={turn} />
        ))}
      </ul>
      {unseen > 0 && <QueueRest agent={agent} />}
    </>
  )
}

function Target({ agent }: { agent: ProjectAgent }) {
  const words = useWords()
  const locale = useLocale()
  const face = useFace(agent)
  return (
    <p className="queue-of">
      <Glyph name={face.glyph} tone={face.tone} />
      <span className="truncate">{agent.name}</span>
      <span className="note">{reasonOf(agent, words, locale) ?? face.word}</span>
    </p>
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
