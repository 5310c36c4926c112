import type { ReactNode } from 'react'
import { useBlocker } from '../../bind/useBlocker'
import { blockerOf } from '../../state/blocker'
import { serverNow } from '../../state/connection'
import type { ProjectDelegation } from '../../state/delegations'
import { outcomeText } from '../../state/failureText'
import { Glyph, type Tone } from '../../ui/Glyph'
import { Icon } from '../../ui/Icon'
import { useClock } from '../../ui/useClock'
import type { Delegation } from '../../wire/shapes'
import { useLocale, useWords } from '../../words/useWords'
import { clockTime, elapsed } from '../../words/words'

interface DelegationStepsProps {
  ask: ProjectDelegation
  /** Its place in the target's queue, from 1; null once it left it. */
  position: number | null
}

const TONE: Record<Delegation['state'], Tone> = {
  queued: 'idle',
  running: 'working',
  answered: 'working',
  failed: 'danger',
}

/** queued → working → answered, on one line; only the present step is coloured. */
export function DelegationSteps({ ask, position }: DelegationStepsProps) {
  const words = useWords()
  const locale = useLocale()
  const at = (ms: number | null) => ms !== null && <span className="muted">{clockTime(ms, locale)}</span>
  const queued = position === null ? words.delegation.queued : words.delegation.queuedAt(position)
  const steps: ReactNode[] = []
  if (ask.state !== 'queued')
    steps.push(
      <Done key="queued">
        {queued} {at(ask.askedAtMs)}
      </Done>,
    )
  if (ask.startedAtMs !== null && ask.settledAtMs !== null) {
    steps.push(
      <Done key="working">
        {words.delegation.working} {at(ask.startedAtMs)}
      </Done>,
    )
  }
  const blocker = useBlocker((known) => blockerOf(ask, known))
  return (
    <ol className={`steps is-${blocker === null ? TONE[ask.state] : 'needs-you'}`}>
      {steps}
      <li className="end">
        <Present ask={ask} queued={queued} blocker={blocker} />
        {at(ask.settledAtMs)}
      </li>
    </ol>
  )
}

function Present({ ask, queued, blocker }: { ask: Delegation; queued: string; blocker: string | null }) {
  const words = useWords()
  switch (ask.state) {
    case 'queued':
      return (
        <>
          <Icon name="clock" size="s" />
          {queued}
        </>
      )
    case 'running':
      if (blocker !== null) {
        return (
          <>
            <Glyph name="needs-you" tone="needs-you" />
            {words.delegation.needsYou(blocker)}
          </>
        )
      }
      return (
        <>
          <Glyph name="working-for" tone="working" />
          <Working sinceMs={ask.startedAtMs} />
        </>
      )
    case 'answered':
      return (
        <>
          <Icon name="check" size="s" />
          {words.delegation.answered}
        </>
      )
    case 'failed':
      return (
        <>
          <Icon name="x" size="s" />
          <span className="why-failed">{outcomeText(ask.outcome ?? '', words) ?? words.delegation.failed}</span>
        </>
      )
    default:
      return ask.state satisfies never
  }
}

function Working({ sinceMs }: { sinceMs: number | null }) {
  const words = useWords()
  return useClock(() => {
    const now = serverNow()
    return words.delegation.workingFor(elapsed(now - (sinceMs ?? now), words))
  })
}

function Done({ children }: { children: ReactNode }) {
  return <li className="done">{children}</li>
}
