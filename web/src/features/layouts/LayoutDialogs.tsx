import { createLayout, renameLayout } from '../../state/layouts'
import type { ProjectFacts } from '../../state/project'
import { useWords } from '../../words/useWords'
import { LayoutNameDialog } from './LayoutNameDialog'
import { layoutName } from './layoutName'

interface LayoutDialogProps {
  project: ProjectFacts
  onClose: () => void
}

export function SaveLayoutAs({ project, onClose }: LayoutDialogProps) {
  const words = useWords()
  const { current } = project.layouts
  return (
    <LayoutNameDialog
      title={words.layouts.saveAsTitle}
      lead={words.layouts.saveAsLead(layoutName(current, words))}
      name=""
      submit={words.save}
      whenFailed={words.layouts.notSaved}
      save={(name) => createLayout(project.id, name)}
      onClose={onClose}
    />
  )
}

export function RenameLayout({ project, layout, onClose }: LayoutDialogProps & { layout: string }) {
  const words = useWords()
  const isShared = project.layouts.entries.some(({ name, sharing }) => name === layout && sharing !== 'own')
  return (
    <LayoutNameDialog
      title={words.layouts.renameTitle(layoutName(layout, words))}
      lead={isShared ? words.layouts.renameSharedLead : words.layouts.renameLead}
      name={layoutName(layout, words)}
      submit={words.layouts.renameButton}
      whenFailed={words.layouts.notRenamed}
      save={(name) => renameLayout(project.id, layout, name)}
      onClose={onClose}
    />
  )
}
