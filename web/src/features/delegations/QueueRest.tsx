import { useEffect, useState } from 'react'
import { FailureNotice } from '../../bind/FailureNotice'
import type { ProjectAgent } from '../../state/agents'
import { listQueue } from '../../state/turns'
import type { Outcome } from '../../wire/outcome'
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
  const rest = useRest(agent, wanted)
  // Until it is fetched again it may name some that have moved up since.
  const ahead = new Set(agent.queue.map((turn) => turn.turnId))
  const shown = wanted > 0 && rest.ok ? rest.value.filter((turn) => !ahead.has(turn.turnId)) : []
  const unseen = agent.queueLength - agent.queue.length - shown.length
  return (
    <>
      <ul>
        {shown.map((turn) => (
          <QueueRow key={turn.turnId} agentId={agent.id} turn={turn} />
        ))}
      </ul>
      {!rest.ok && <FailureNotice title={words.queue.notListed} failure={rest.failure} />}
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

function useRest({ id, queue }: ProjectAgent, wanted: number): Outcome<QueuedTurn[]> {
  const [rest, setRest] = useState<Outcome<QueuedTurn[]>>({ ok: true, value: [] })
  useEffect(() => {
    if (wanted === 0) return
    let isCurrent = true
    const timer = setTimeout(async () => {
      const found = await listQueue(id, queue.length, wanted)
      if (isCurrent) setRest(found)
    }, SETTLE_MS)
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  }, [id, queue, wanted])
  return rest
}
