import { type FormEvent, useState } from 'react'
import { useStore } from 'zustand'
import { FailureNotice } from '../../bind/FailureNotice'
import { useProfiles } from '../../bind/useProfiles'
import { agentStore, type ProjectAgent } from '../../state/agents'
import { Dialog } from '../../ui/Dialog'
import { Field } from '../../ui/Field'
import { api } from '../../wire/api'
import type { Failure } from '../../wire/outcome'
import type { AgentFields } from '../../wire/shapes'
import { useWords } from '../../words/useWords'
import { DeleteAgent } from './DeleteAgent'
import { PermissionChoice } from './PermissionChoice'
import { ProfileChoice } from './ProfileChoice'

interface AgentDialogProps {
  projectId: string
  /** Null: a new agent. */
  agentId: string | null
  draft: Partial<AgentFields>
  onClose: () => void
}

const BLANK: AgentFields = {
  name: '',
  profile: '',
  model: null,
  permissions: 'ask',
  capabilities: [],
  allowStructuredAlongsidePty: null,
  workspace: null,
  instructions: '',
}

/** Creates or edits an agent; what it does not show is kept as it is. */
export function AgentDialog({ projectId, agentId, draft, onClose }: AgentDialogProps) {
  const words = useWords()
  const agent = useStore(agentStore, (agents) => (agentId === null ? undefined : agents.get(agentId)))
  const profiles = useProfiles(projectId)
  const [fields, setFields] = useState<AgentFields>(() => ({ ...BLANK, ...fieldsOf(agent), ...draft }))
  const [failure, setFailure] = useState<Failure | null>(null)
  const [isSaving, setIsSaving] = useState(false)
  const found = profiles.list.find((one) => one.missing === null)
  const profile = profiles.list.find((one) => one.id === (fields.profile || found?.id))
  const change = (part: Partial<AgentFields>) => setFields((before) => ({ ...before, ...part }))

  const save = async (event: FormEvent) => {
    event.preventDefault()
    setIsSaving(true)
    const complete = { ...fields, name: fields.name.trim(), profile: profile?.id ?? fields.profile }
    const result =
      agentId === null
        ? await api.createAgent(projectId, complete)
        : await api.saveAgent({ project: projectId, agent: agentId }, complete)
    setIsSaving(false)
    if (result.ok) onClose()
    else setFailure(result.failure)
  }

  return (
    <Dialog
      title={agent === undefined ? words.form.newTitle : words.form.editTitle(agent.name)}
      closeLabel={words.close}
      onClose={onClose}
    >
      <form className="dialog-form" onSubmit={(event) => void save(event)}>
        <div className="dialog-body">
          <Field label={words.form.name} hint={words.form.nameHint}>
            {(ids) => (
              <input
                {...ids}
                className="field"
                required
                maxLength={64}
                autoComplete="off"
                value={fields.name}
                onChange={(event) => change({ name: event.target.value })}
              />
            )}
          </Field>
          <ProfileChoice profiles={profiles} chosen={profile} onChoose={(id) => change({ profile: id })} />
          <Field label={words.form.model} hint={words.form.modelHint}>
            {(ids) => (
              <input
                {...ids}
                className="field"
                autoComplete="off"
                spellCheck={false}
                value={fields.model ?? ''}
                onChange={(event) => change({ model: event.target.value.trim() || null })}
              />
            )}
          </Field>
          <PermissionChoice
            value={fields.permissions ?? 'ask'}
            supported={profile?.permissionModes ?? []}
            onChoose={(permissions) => change({ permissions })}
          />
          <Field label={words.form.instructions} hint={words.form.instructionsHint}>
            {(ids) => (
              <textarea
                {...ids}
                className="field"
                value={fields.instructions ?? ''}
                onChange={(event) => change({ instructions: event.target.value })}
              />
            )}
          </Field>
          {failure !== null && <FailureNotice title={words.form.notSaved} failure={failure} />}
        </div>
        <footer className="dialog-foot">
          {agent !== undefined && <DeleteAgent agent={agent} onDeleted={onClose} />}
          <button type="button" className="btn quiet" onClick={onClose}>
            {words.cancel}
          </button>
          <button type="submit" className="btn primary" disabled={isSaving || profile === undefined}>
            {agent === undefined ? words.form.create : words.save}
          </button>
        </footer>
      </form>
    </Dialog>
  )
}

function fieldsOf(agent: ProjectAgent | undefined): Partial<AgentFields> {
  if (agent === undefined) return {}
  const { name, profile, model, permissions, capabilities, allowStructuredAlongsidePty, workspace, instructions } =
    agent
  return { name, profile, model, permissions, capabilities, allowStructuredAlongsidePty, workspace, instructions }
}
