import { type AgentEdit, type AgentField, isDecided } from '../../state/agentEdit'
import { Notice } from '../../ui/Notice'
import type { Words } from '../../words/en'
import { useWords } from '../../words/useWords'

interface ChangedMeanwhileProps {
  edit: AgentEdit
  onDecide: (field: AgentField, whose: 'mine' | 'theirs') => void
}

/** What somebody else made of the agent while it was edited here; nothing of the person's own is lost to it. */
export function ChangedMeanwhile({ edit, onDecide }: ChangedMeanwhileProps) {
  const words = useWords()
  const shown = edit.changes.flatMap((change) => {
    const label = labelOf(change.field, words)
    return label === null ? [] : [{ ...change, label }]
  })
  if (shown.length === 0) return null
  return (
    <Notice tone="stalled" icon="pencil" title={words.form.changed(edit.base.name)} role="alert">
      {!isDecided(edit) && <p>{words.form.changedDetail}</p>}
      <ul className="changes">
        {shown.map(({ field, isOpen, label }) => (
          <li key={field} aria-label={label}>
            <p>
              <b className="strong">{label}</b> {!isOpen && <span className="tag">{words.form.takenOver}</span>}
            </p>
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it. */}
            <pre className="tail-text" tabIndex={0} role="group" aria-label={label}>
              {textOf(edit, field, words)}
            </pre>
            {isOpen && (
              <p className="acts">
                <button type="button" className="btn s" onClick={() => onDecide(field, 'mine')}>
                  {words.form.keepMine}
                </button>
                <button type="button" className="btn s" onClick={() => onDecide(field, 'theirs')}>
                  {words.form.useTheirs}
                </button>
              </p>
            )}
          </li>
        ))}
      </ul>
    </Notice>
  )
}

/** Null for what the form does not show: nobody touches it here, so it is taken over. */
function labelOf(field: AgentField, words: Words): string | null {
  switch (field) {
    case 'name':
    case 'profile':
    case 'model':
    case 'permissions':
    case 'instructions':
      return words.form[field]
    case 'allowStructuredAlongsidePty':
      return words.form.beside
    default:
      return null
  }
}

function textOf({ base }: AgentEdit, field: AgentField, words: Words): string {
  if (field === 'permissions') return words.mode[base.permissions ?? 'ask']
  if (field === 'allowStructuredAlongsidePty') return besideText(base.allowStructuredAlongsidePty ?? null, words)
  return String(base[field] ?? '') || words.form.nothingSet
}

function besideText(value: boolean | null, words: Words): string {
  if (value === null) return words.form.besideDefault
  return value ? words.form.besideOn : words.form.besideOff
}
