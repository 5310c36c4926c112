import { useStore } from 'zustand'
import { AgentDialog } from '../features/agents/AgentDialog'
import { EarlierDialog } from '../features/conversations/EarlierDialog'
import { DeleteLayout } from '../features/layouts/DeleteLayout'
import { RenameLayout, SaveLayoutAs } from '../features/layouts/LayoutDialogs'
import { OpenProjectDialog } from '../features/projects/OpenProjectDialog'
import { ResumeDialog } from '../features/resume/ResumeDialog'
import { SettingsDialog } from '../features/settings/SettingsDialog'
import { TrustDialog } from '../features/trust/TrustDialog'
import type { ProjectFacts } from '../state/project'
import { closeDialog, type Dialog as OpenDialog, selectionStore } from '../state/selection'
import { Boundary } from '../ui/Boundary'
import { Dialog, DialogText } from '../ui/Dialog'
import { useWords } from '../words/useWords'
import { ShortcutsDialog } from './ShortcutsDialog'

/** The one dialog that is open, if any; one that cannot be drawn can be closed all the same. */
export function Dialogs({ project }: { project: ProjectFacts | undefined }) {
  const words = useWords()
  const dialog = useStore(selectionStore, (selection) => selection.dialog)
  if (dialog === null) return null
  return (
    <Boundary
      key={dialog.name}
      fallback={({ text }) => (
        <Dialog title={words.fault.part} lead={words.fault.partDetail} closeLabel={words.close} onClose={closeDialog}>
          <DialogText label={words.fault.part}>
            <p className="mono small fault-text">{text}</p>
          </DialogText>
        </Dialog>
      )}
    >
      <Open dialog={dialog} project={project} />
    </Boundary>
  )
}

function Open({ dialog, project }: { dialog: OpenDialog; project: ProjectFacts | undefined }) {
  if (dialog.name === 'openProject') return <OpenProjectDialog onClose={closeDialog} />
  if (dialog.name === 'shortcuts') return <ShortcutsDialog onClose={closeDialog} />
  if (project === undefined) return null
  switch (dialog.name) {
    case 'newAgent':
      return <AgentDialog projectId={project.id} agentId={null} draft={dialog.draft} onClose={closeDialog} />
    case 'editAgent':
      return <AgentDialog projectId={project.id} agentId={dialog.agentId} draft={{}} onClose={closeDialog} />
    case 'earlier':
      return <EarlierDialog {...dialog} onClose={closeDialog} />
    case 'trust':
      return <TrustDialog project={project} onClose={closeDialog} />
    case 'settings':
      return <SettingsDialog project={project} onClose={closeDialog} />
    case 'resume':
      return <ResumeDialog project={project} onClose={closeDialog} />
    case 'saveLayoutAs':
      return <SaveLayoutAs project={project} onClose={closeDialog} />
    case 'renameLayout':
      return <RenameLayout project={project} layout={dialog.layout} onClose={closeDialog} />
    case 'deleteLayout':
      return <DeleteLayout project={project} layout={dialog.layout} onClose={closeDialog} />
    default:
      return dialog satisfies never
  }
}
