import { useStore } from 'zustand'
import { reasonText } from '../../state/failureText'
import { projectStore } from '../../state/project'
import { Sentence } from '../../ui/Sentence'
import { useWords } from '../../words/useWords'

/** Agent files that could not be read, each with the line and the reason; the other agents keep working. */
export function BrokenFiles({ projectId }: { projectId: string }) {
  const words = useWords()
  const broken = useStore(projectStore, (projects) => projects.get(projectId)?.broken)
  if (broken === undefined || broken.length === 0) return null
  return (
    <ul className="broken" aria-label={words.agentList.brokenFiles}>
      {broken.map((file) => (
        <li key={file.slug} className="is-danger">
          <p>
            <span className="mono">{file.slug}.md</span>
            <span className="state is-danger">{words.agentList.broken(file.line)}</span>
          </p>
          <p className="soft small">
            <Sentence text={reasonText(file, words)} />
          </p>
        </li>
      ))}
    </ul>
  )
}
