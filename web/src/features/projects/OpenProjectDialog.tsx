import { Dialog } from '../../ui/Dialog'
import { useWords } from '../../words/useWords'
import { OpenProjectForm } from './OpenProjectForm'

export function OpenProjectDialog({ onClose }: { onClose: () => void }) {
  const words = useWords()
  const cancel = (
    <button type="button" className="btn quiet" onClick={onClose}>
      {words.cancel}
    </button>
  )
  return (
    <Dialog title={words.project.openTitle} closeLabel={words.close} onClose={onClose}>
      <OpenProjectForm onOpened={onClose} actions={cancel} />
    </Dialog>
  )
}
