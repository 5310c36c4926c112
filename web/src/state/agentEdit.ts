/** An agent in the form: what the person wrote, on top of the version that they saw; pure. */

import type { AgentFields } from '../wire/shapes'
import type { ProjectAgent } from './agents'

export type AgentField = keyof AgentFields

export interface AgentEdit {
  /** The version that the person knows of; null while the agent is new. */
  version: string | null
  /** As that version has them. */
  base: AgentFields
  /** As they stand in the form. */
  fields: AgentFields
  /** What somebody else changed since the form was opened. */
  changes: readonly Change[]
}

export interface Change {
  field: AgentField
  /** The person changed it as well, and has to choose; else it was taken over. */
  isOpen: boolean
}

const BLANK: AgentFields = {
  name: '',
  profile: '',
  model: null,
  capabilities: [],
  allowStructuredAlongsidePty: null,
  workspace: null,
  instructions: '',
}

const FIELDS: readonly AgentField[] = [
  'name',
  'profile',
  'model',
  'permissions',
  'capabilities',
  'allowStructuredAlongsidePty',
  'workspace',
  'instructions',
]

/** `draft` fills in what a new agent begins with. */
export function beginEdit(agent: ProjectAgent | undefined, draft: Partial<AgentFields> = {}): AgentEdit {
  const base = agent === undefined ? { ...BLANK, ...draft } : fieldsOf(agent)
  return { version: agent?.version ?? null, base, fields: base, changes: [] }
}

export function withFields(edit: AgentEdit, part: Partial<AgentFields>): AgentEdit {
  return { ...edit, fields: { ...edit.fields, ...part } }
}

/** The agent is another by now: what the person did not touch is taken over, the rest is theirs to decide. */
export function rebased(edit: AgentEdit, agent: ProjectAgent): AgentEdit {
  if (agent.version === edit.version) return edit
  const base = fieldsOf(agent)
  let { fields } = edit
  let changes = edit.changes
  for (const field of FIELDS) {
    if (isSame(base[field], edit.base[field])) continue
    const isOpen = !isSame(fields[field], edit.base[field]) && !isSame(fields[field], base[field])
    if (!isOpen) fields = { ...fields, [field]: base[field] }
    changes = [...without(changes, field), { field, isOpen }]
  }
  return { version: agent.version, base, fields, changes }
}

export function decided(edit: AgentEdit, field: AgentField, whose: 'mine' | 'theirs'): AgentEdit {
  if (whose === 'mine') return { ...edit, changes: without(edit.changes, field) }
  const fields = { ...edit.fields, [field]: edit.base[field] }
  return { ...edit, fields, changes: edit.changes.map((one) => (one.field === field ? { field, isOpen: false } : one)) }
}

/** The person wrote something that only the form has. */
export function isTouched({ fields, base }: AgentEdit): boolean {
  return !isSame(fields, base)
}

export function isDecided({ changes }: AgentEdit): boolean {
  return changes.every((change) => !change.isOpen)
}

function without(changes: readonly Change[], field: AgentField): readonly Change[] {
  return changes.filter((one) => one.field !== field)
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

function fieldsOf(agent: ProjectAgent): AgentFields {
  const { name, profile, model, permissions, capabilities, allowStructuredAlongsidePty, workspace, instructions } =
    agent
  return { name, profile, model, permissions, capabilities, allowStructuredAlongsidePty, workspace, instructions }
}
