import type { ProjectFacts } from '../../state/project'
import { openDialog } from '../../state/selection'
import { Notice } from '../../ui/Notice'
import { useWords } from '../../words/useWords'

/** Above the cells while the project awaits approval. */
export function TrustBanner({ project }: { project: ProjectFacts }) {
  const words = useWords()
  if (project.trust.isTrusted) return null
  return (
    <Notice
      tone="needs-you"
      icon="shield"
      role="status"
      actions={
        <button type="button" className="btn s" onClick={() => openDialog({ name: 'trust' })}>
          {words.trust.review}
        </button>
      }
    >
      {words.trust.banner(project.trust.items.length)}
    </Notice>
  )
}
