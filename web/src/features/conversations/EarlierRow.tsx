import { useStore } from 'zustand'
import { agentStore, type ProjectAgent } from '../../state/agents'
import type { Earlier } from '../../wire/shapes'
import { useLocale, useWords } from '../../words/useWords'
import { dayAndTime } from '../../words/words'

interface EarlierRowProps {
  one: Earlier
  agent: ProjectAgent
  isBusy: boolean
  onChoose: () => void
}

/** First words, when and how much; another agent's cannot be chosen, and its own needs not be. */
export function EarlierRow({ one, agent, isBusy, onChoose }: EarlierRowProps) {
  const words = useWords()
  const locale = useLocale()
  const owner = useStore(agentStore, (all) => all.get(one.agentId ?? '')?.name)
  const isTaken = one.agentId !== null
  const size = words.earlier.size(Math.max(1, Math.round(one.sizeBytes / 1024)))
  return (
    <li>
      <button type="button" className="row" disabled={isTaken || isBusy} onClick={onChoose}>
        <span className="earlier-words">{one.firstWords === '' ? words.earlier.noWords : one.firstWords}</span>
        <span className="then">
          {isTaken && (
            <>
              <b className="strong">
                {one.agentId === agent.id ? words.earlier.isOwn : words.earlier.ofAgent(owner ?? '')}
              </b>
              {' · '}
            </>
          )}
          {words.earlier.about(dayAndTime(one.lastAtMs, locale), size)}
        </span>
      </button>
    </li>
  )
}
