import { useEffect } from 'react'
import { useStore } from 'zustand'
import { Awaited } from '../../bind/Awaited'
import { FailureNotice } from '../../bind/FailureNotice'
import { useProfile } from '../../bind/useProfile'
import { agentStore } from '../../state/agents'
import { attachEarlier, earlierStore, lookAtEarlier } from '../../state/earlier'
import { Dialog } from '../../ui/Dialog'
import type { View } from '../../wire/shapes'
import { useWords } from '../../words/useWords'
import { EarlierRow } from './EarlierRow'

interface EarlierDialogProps {
  agentId: string
  nodeId: string
  view: View
  onClose: () => void
}

/** The conversations that the agent's CLI keeps of this folder; choosing one makes it the agent's. */
export function EarlierDialog({ agentId, nodeId, view, onClose }: EarlierDialogProps) {
  const words = useWords()
  const agent = useStore(agentStore, (all) => all.get(agentId))
  const profile = useProfile(agent?.projectId ?? '', agent?.profile ?? '')
  const { list, arrival, attaching, notAttached } = useStore(earlierStore)
  useEffect(() => void lookAtEarlier(agentId), [agentId])
  if (agent === undefined) return null
  const cli = profile?.name ?? agent.profile
  const choose = async (conversationId: string) => {
    if (await attachEarlier({ agentId, nodeId, view, conversationId })) onClose()
  }
  return (
    <Dialog
      title={words.earlier.title(agent.name)}
      lead={words.earlier.lead(cli)}
      closeLabel={words.close}
      onClose={onClose}
      isWide
    >
      <div className="dialog-body">
        {notAttached !== null && <FailureNotice title={words.earlier.notAttached} failure={notAttached} />}
        <Awaited arrival={arrival} title={words.earlier.notListed} onRetry={() => void lookAtEarlier(agentId)} />
        {arrival === 'there' && list.length === 0 && <p className="muted">{words.earlier.none(cli)}</p>}
        {list.length > 0 && (
          <ul className="earlier-list">
            {list.map((one) => (
              <EarlierRow
                key={one.id}
                one={one}
                agent={agent}
                isBusy={attaching !== null}
                onChoose={() => void choose(one.id)}
              />
            ))}
          </ul>
        )}
      </div>
    </Dialog>
  )
}
