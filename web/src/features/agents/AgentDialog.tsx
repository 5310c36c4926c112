import type { FormEvent } from 'react'
import { useStore } from 'zustand'
import { FailureNotice } from '../../bind/FailureNotice'
import { useProfiles } from '../../bind/useProfiles'
import { isDecided, isTouched, withFields } from '../../state/agentEdit'
import { agentStore } from '../../state/agents'
import { createAgent, saveAgent } from '../../state/saveAgent'
import { Dialog } from '../../ui/Dialog'
import { Notice } from '../../ui/Notice'
import type { AgentFields } from '../../wire/shapes'
import { useWords } from '../../words/useWords'
import { AgentDialogFoot } from './AgentDialogFoot'
import { AgentForm, permissionsOf } from './AgentForm'
import { ChangedMeanwhile } from './ChangedMeanwhile'
import { useAgentEdit } from './useAgentEdit'

interface AgentDialogProps {
  projectId: string
  /** Null: a new agent. */
  agentId: string | null
  draft: Partial<AgentFields>
  onClose: () => void
}

/** Creates or edits an agent; what it does not show is kept as it is. */
export function AgentDialog({ projectId, agentId, draft, onClose }: AgentDialogProps) {
  const words = useWords()
  const agent = useStore(agentStore, (agents) => agents.get(agentId ?? ''))
  const profiles = useProfiles(projectId)
  const { edit, change, decide, isSaving, failure, save } = useAgentEdit(agentId, draft)
  const isGone = agentId !== null && agent === undefined
  // A new agent runs what is found, unless something else is chosen.
  const wished = edit.fields.profile || (profiles.list.find((one) => one.missing === null)?.id ?? '')
  const isUnknown = profiles.list.length > 0 && !profiles.list.some((one) => one.id === wished)
  const canSave = !isSaving && isDecided(edit) && wished !== '' && !isUnknown

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const profile = profiles.list.find((one) => one.id === wished)
    const whole = withFields(edit, { profile: wished, permissions: permissionsOf(edit.fields, profile) })
    const isNew = agentId === null || isGone
    const isDone = await save(() =>
      isNew ? createAgent(projectId, whole.fields) : saveAgent(projectId, agentId, whole),
    )
    if (isDone) onClose()
  }
  const label = agentId === null ? words.form.create : isGone ? words.form.createAgain : words.save
  return (
    <Dialog
      title={agentId === null ? words.form.newTitle : words.form.editTitle(edit.base.name)}
      closeLabel={words.close}
      onClose={onClose}
      unsaved={isTouched(edit) ? words.unsaved : null}
    >
      <form className="dialog-form" onSubmit={(event) => void submit(event)}>
        <div className="dialog-body">
          {isGone && (
            <Notice tone="stalled" icon="x" title={words.form.gone(edit.base.name)} role="alert">
              {words.form.goneDetail}
            </Notice>
          )}
          {!isGone && <ChangedMeanwhile edit={edit} onDecide={decide} />}
          <AgentForm fields={edit.fields} profiles={profiles} profileId={wished} onChange={change} />
          {/* What was changed stands above, and the choice with it. */}
          {failure !== null && !(failure.fields.why === 'agentChanged' && edit.changes.length > 0) && (
            <FailureNotice title={words.form.notSaved} failure={failure} />
          )}
        </div>
        <AgentDialogFoot agent={agent} saveLabel={label} canSave={canSave} onClose={onClose} />
      </form>
    </Dialog>
  )
}
