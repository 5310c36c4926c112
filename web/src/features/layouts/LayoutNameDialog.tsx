import { type FormEvent, useState } from 'react'
import { FailureNotice } from '../../bind/FailureNotice'
import { Dialog } from '../../ui/Dialog'
import { Field } from '../../ui/Field'
import type { Failure } from '../../wire/outcome'
import { useWords } from '../../words/useWords'

const LONGEST_CHARS = 60

interface LayoutNameDialogProps {
  title: string
  lead: string
  /** What stands in the field at first. */
  name: string
  submit: string
  whenFailed: string
  /** Null when it was done. */
  save: (name: string) => Promise<Failure | null>
  onClose: () => void
}

/** Asks for a layout's name, of a new one or of one that there is. */
export function LayoutNameDialog({ title, lead, name, submit, whenFailed, save, onClose }: LayoutNameDialogProps) {
  const words = useWords()
  const [text, setText] = useState(name)
  const [failure, setFailure] = useState<Failure | null>(null)
  const [isUnderWay, setIsUnderWay] = useState(false)
  const onSubmit = async (event: FormEvent) => {
    event.preventDefault()
    setIsUnderWay(true)
    const refused = await save(text.trim())
    setIsUnderWay(false)
    setFailure(refused)
    if (refused === null) onClose()
  }
  return (
    <Dialog title={title} lead={lead} closeLabel={words.close} onClose={onClose}>
      <form className="dialog-form" onSubmit={(event) => void onSubmit(event)}>
        <div className="dialog-body">
          <Field label={words.layouts.name}>
            {(ids) => (
              <input
                {...ids}
                className="field"
                required
                maxLength={LONGEST_CHARS}
                autoComplete="off"
                value={text}
                onChange={(event) => setText(event.target.value)}
                onFocus={(event) => event.target.select()}
              />
            )}
          </Field>
          {failure !== null && <FailureNotice title={whenFailed} failure={failure} />}
        </div>
        <footer className="dialog-foot">
          <button type="button" className="btn quiet" onClick={onClose}>
            {words.cancel}
          </button>
          <button type="submit" className="btn primary" disabled={isUnderWay || text.trim() === ''}>
            {submit}
          </button>
        </footer>
      </form>
    </Dialog>
  )
}
