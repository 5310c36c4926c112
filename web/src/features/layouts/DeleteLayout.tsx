import { useState } from 'react'
import { FailureNotice } from '../../bind/FailureNotice'
import { deleteLayout } from '../../state/layouts'
import type { ProjectFacts } from '../../state/project'
import { Dialog } from '../../ui/Dialog'
import type { Failure } from '../../wire/outcome'
import { useWords } from '../../words/useWords'
import { layoutName } from './layoutName'

interface DeleteLayoutProps {
  project: ProjectFacts
  layout: string
  onClose: () => void
}

/** Asks once more, saying what goes and what stays. */
export function DeleteLayout({ project, layout, onClose }: DeleteLayoutProps) {
  const words = useWords()
  const [failure, setFailure] = useState<Failure | null>(null)
  const [isUnderWay, setIsUnderWay] = useState(false)
  const isShared = project.layouts.entries.some(({ name, sharing }) => name === layout && sharing !== 'own')
  const remove = async () => {
    setIsUnderWay(true)
    const refused = await deleteLayout(project.id, layout)
    setIsUnderWay(false)
    setFailure(refused)
    if (refused === null) onClose()
  }
  return (
    <Dialog
      title={words.layouts.deleteTitle(layoutName(layout, words))}
      lead={isShared ? words.layouts.deleteSharedLead(layout) : words.layouts.deleteLead}
      closeLabel={words.close}
      onClose={onClose}
    >
      {failure !== null && (
        <div className="dialog-body">
          <FailureNotice title={words.layouts.notDeleted} failure={failure} />
        </div>
      )}
      <footer className="dialog-foot">
        <button type="button" className="btn quiet" onClick={onClose}>
          {words.cancel}
        </button>
        <button type="button" className="btn danger" disabled={isUnderWay} onClick={() => void remove()}>
          {words.delete}
        </button>
      </footer>
    </Dialog>
  )
}
