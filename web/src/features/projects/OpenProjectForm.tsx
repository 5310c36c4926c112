import { type FormEvent, type ReactNode, useState } from 'react'
import { FailureNotice } from '../../bind/FailureNotice'
import { openProject } from '../../state/openProject'
import { Field } from '../../ui/Field'
import type { Failure } from '../../wire/outcome'
import { useWords } from '../../words/useWords'
import { TakeOver } from './TakeOver'

interface OpenProjectFormProps {
  onOpened: () => void
  /** Further buttons beside the one that opens. */
  actions?: ReactNode
}

export function OpenProjectForm({ onOpened, actions }: OpenProjectFormProps) {
  const words = useWords()
  const [path, setPath] = useState('')
  const [failure, setFailure] = useState<Failure | null>(null)
  const [isOpening, setIsOpening] = useState(false)
  const open = async (takeOver: string | null) => {
    setIsOpening(true)
    const result = await openProject(path.trim(), takeOver)
    setIsOpening(false)
    if (result.ok) onOpened()
    else setFailure(result.failure)
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void open(null)
  }
  return (
    <form className="dialog-form" onSubmit={submit}>
      <div className="dialog-body">
        <Field label={words.project.path} hint={words.project.pathHint}>
          {(ids) => (
            <input
              {...ids}
              className="field mono"
              required
              autoComplete="off"
              spellCheck={false}
              placeholder="/home/…"
              value={path}
              onChange={(event) => setPath(event.target.value)}
            />
          )}
        </Field>
        {failure !== null && <FailureNotice title={words.project.notOpened} failure={failure} />}
        {failure !== null && <TakeOver failure={failure} isBusy={isOpening} onAgree={(holder) => void open(holder)} />}
      </div>
      <footer className="dialog-foot">
        {actions}
        <button type="submit" className="btn primary" disabled={isOpening || path.trim() === ''}>
          {isOpening ? words.project.opening : words.project.openButton}
        </button>
      </footer>
    </form>
  )
}
