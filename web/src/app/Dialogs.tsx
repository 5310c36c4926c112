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
import { closeDialog, selectionStore } from '../state/selection'
import { ShortcutsDialog } from './ShortcutsDialog'

/** The one dialog that is open, if any. */
export function Dialogs({ project }: { project: ProjectFacts | undefined }) {
  const dialog = useStore(selectionStore, (selection) => selection.dialog)
  if (dialog?.name === 'openProject') return <OpenProjectDialog onClose={closeDialog} />
  if (dialog?.name === 'shortcuts') return <ShortcutsDialog onClose={closeDialog} />
  if (dialog === null || project === undefined) return null
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
