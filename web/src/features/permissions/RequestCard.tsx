import { type KeyboardEvent, useRef } from 'react'
import { useStore } from 'zustand'
import { useShallow } from 'zustand/react/shallow'
import { useArmed } from '../../bind/useArmed'
import { visible } from '../../lib/visibleText'
import type { ProjectAgent } from '../../state/agents'
import { decide } from '../../state/decide'
import { type ProjectPermission, permissionKey, permissionStore } from '../../state/permissions'
import { Glyph } from '../../ui/Glyph'
import { useWords } from '../../words/useWords'
import { Expiry } from './Expiry'
import { keyDecision, PermissionActions } from './PermissionActions'
import { RequestText } from './RequestText'
import { requestText } from './requestText'
import { useFocusGoesOn } from './useFocusGoesOn'

/** What an agent waits for, at the end of its chat. */
export function RequestCards({ agent }: { agent: ProjectAgent }) {
  const requests = useStore(
    permissionStore,
    useShallow((all) => [...all.values()].filter((one) => one.agentId === agent.id)),
  )
  const { isArmed } = useArmed(requests.map(permissionKey).join(' '))
  return requests.map((request) => (
    <RequestCard key={request.requestId} agent={agent} permission={request} isArmed={isArmed} />
  ))
}

interface RequestCardProps {
  agent: ProjectAgent
  permission: ProjectPermission
  isArmed: boolean
}

/** However long what is asked is, the bar with the answers does not scroll away. */
export function RequestCard({ agent, permission, isArmed }: RequestCardProps) {
  const words = useWords()
  const card = useRef<HTMLElement>(null)
  useFocusGoesOn(card)
  const { title } = requestText(permission)
  const answerByKey = (event: KeyboardEvent) => {
    // A key that is held down was meant for what was there before.
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || !isArmed) return
    const decision = keyDecision(event.key, permission)
    if (decision === null) return
    event.preventDefault()
    void decide(permission, decision, words.permission.notSent)
  }
  return (
    <section
      ref={card}
      className="request-card is-needs-you"
      aria-label={words.permission.request(agent.name)}
      tabIndex={-1}
      data-request={permissionKey(permission)}
      onKeyDown={answerByKey}
    >
      <h3 className="line">
        <Glyph name="needs-you" tone="needs-you" />
        <span className="grow">{title || words.permission.title(agent.name, visible(permission.tool))}</span>
        <Expiry permission={permission} />
      </h3>
      <RequestText permission={permission} />
      <p className="acts">
        <PermissionActions permission={permission} isArmed={isArmed} hasKeys isPrimary />
      </p>
    </section>
  )
}
