import { useEffect, useState } from 'react'
import { Awaited } from '../../bind/Awaited'
import type { ProjectAgent } from '../../state/agents'
import { listQueue } from '../../state/turns'
import { type Arrival, arrivalOf } from '../../wire/outcome'
import type { QueuedTurn } from '../../wire/shapes'
import { useWords } from '../../words/useWords'
import { QueueRow } from './QueueRow'

const STEP = 100
/** Turns that one click shows more of. */
const SETTLE_MS = 200
/** A long queue changes often; it is fetched again once it rests. */

/** The turns of a long queue that events do not carry: fetched when somebody wants to see them. */
export function QueueRest({ agent }: { agent: ProjectAgent }) {
  const words = useWords()
  const [wanted, setWanted] = useState(0)
  const { rest, arrival, retry } = useRest(agent, wanted)
  // Until it is fetched again it may name some that have moved up since.
  const ahead = new Set(agent.queue.map((turn) => turn.turnId))
  const shown = wanted > 0 ? rest.filter((turn) => !ahead.has(turn.turnId)) : []
  const unseen = agent.queueLength - agent.queue.length - shown.length
  return (
    <>
      <ul>
        {shown.map((turn) => (
          <QueueRow key={turn.turnId} agentId={agent.id} turn={turn} />
        ))}
      </ul>
      {wanted > 0 && <Awaited arrival={arrival} title={words.queue.notListed} onRetry={retry} />}
      {unseen > 0 && (
        <button type="button" className="tool" onClick={() => setWanted(wanted + STEP)}>
          {words.queue.more(unseen)}
        </button>
      )}
      {wanted > 0 && (
        <button type="button" className="tool" onClick={() => setWanted(0)}>
          {words.queue.fewer}
        </button>
      )}
    </>
  )
}

interface Rest {
  /** As fetched last. */
  rest: readonly QueuedTurn[]
  arrival: Arrival
  retry: () => void
}

function useRest({ id, queue }: ProjectAgent, wanted: number): Rest {
  const [rest, setRest] = useState<readonly QueuedTurn[]>([])
  const [arrival, setArrival] = useState<Arrival>('awaited')
  const [attempt, setAttempt] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt fetches the same again.
  useEffect(() => {
    if (wanted === 0) return
    let isCurrent = true
    const timer = setTimeout(async () => {
      const found = await listQueue(id, queue.length, wanted)
      if (!isCurrent) return
      if (found.ok) setRest(found.value)
      setArrival(arrivalOf(found))
    }, SETTLE_MS)
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  }, [id, queue, wanted, attempt])
  const retry = () => {
    setArrival('awaited')
    setAttempt(attempt + 1)
  }
  return { rest, arrival, retry }
}
