import type { KeyboardEvent } from 'react'
import { useStore } from 'zustand'
import { useShallow } from 'zustand/react/shallow'
import type { ProjectAgent } from '../../state/agents'
import { decide } from '../../state/decide'
import { type ProjectPermission, permissionKey, permissionStore } from '../../state/permissions'
import { Glyph } from '../../ui/Glyph'
import { useWords } from '../../words/useWords'
import { Expiry } from './Expiry'
import { keyDecision, PermissionActions } from './PermissionActions'
import { requestText } from './requestText'

/** What an agent waits for, at the end of its chat. */
export function RequestCards({ agent }: { agent: ProjectAgent }) {
  const requests = useStore(
    permissionStore,
    useShallow((all) => [...all.values()].filter((one) => one.agentId === agent.id)),
  )
  return requests.map((request) => <RequestCard key={request.requestId} agent={agent} permission={request} />)
}

/** However long what is asked is, the bar with the answers does not scroll away. */
export function RequestCard({ agent, permission }: { agent: ProjectAgent; permission: ProjectPermission }) {
  const words = useWords()
  const { title, detail } = requestText(permission)
  const answerByKey = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const decision = keyDecision(event.key, permission)
    if (decision === null) return
    event.preventDefault()
    void decide(permission, decision, words.permission.notSent)
  }
  return (
    <section
      className="request-card is-needs-you"
      aria-label={words.permission.request(agent.name)}
      tabIndex={-1}
      data-request={permissionKey(permission)}
      onKeyDown={answerByKey}
    >
      <h3 className="line">
        <Glyph name="needs-you" tone="needs-you" />
        <span className="grow">{title || words.permission.title(agent.name, permission.tool)}</span>
        <Expiry permission={permission} />
      </h3>
      {detail !== '' && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it.
        <pre className="detail" tabIndex={0} role="group" aria-label={words.permission.detail}>
          <code>{detail}</code>
        </pre>
      )}
      <p className="acts">
        <PermissionActions permission={permission} hasKeys isPrimary />
      </p>
    </section>
  )
}
