import { useStore } from 'zustand'
import { useShallow } from 'zustand/react/shallow'
import { agentStore } from '../../state/agents'
import type { ProjectFacts } from '../../state/project'
import { leaveStopped, resumeAgents, resumeStore } from '../../state/resumable'
import { openDialog } from '../../state/selection'
import { Notice } from '../../ui/Notice'
import type { Resumable } from '../../wire/shapes'
import { useLocale, useWords } from '../../words/useWords'
import { listed } from '../../words/words'

/** Above the cells while agents that ran are stopped: lets them go on, shows them one by one, or leaves them. */
export function ResumeBanner({ project }: { project: ProjectFacts }) {
  const words = useWords()
  const locale = useLocale()
  const { resumable } = project
  const names = useNames(resumable)
  const unable = useNames(resumable.filter(({ canResume }) => !canResume))
  const isUnderWay = useStore(resumeStore, (all) =>
    resumable.some(({ agentId }) => all.get(agentId)?.phase === 'pending'),
  )
  const able = resumable.filter(({ canResume }) => canResume).map(({ agentId }) => agentId)
  if (names.length === 0) return null
  const resume = async () => {
    if (!(await resumeAgents(project.id, able, words.resume.notResumed))) openDialog({ name: 'resume' })
  }
  return (
    <Notice
      tone="idle"
      icon="play"
      role="status"
      actions={
        <>
          {able.length > 0 && (
            <button type="button" className="btn s primary" disabled={isUnderWay} onClick={() => void resume()}>
              {isUnderWay ? words.resume.pending : words.resume.all(able.length)}
            </button>
          )}
          <button type="button" className="btn s" onClick={() => openDialog({ name: 'resume' })}>
            {words.resume.choose}
          </button>
          <button
            type="button"
            className="btn s quiet"
            onClick={() => void leaveStopped(project.id, words.resume.notLeft)}
          >
            {words.resume.notNow}
          </button>
        </>
      }
    >
      {words.resume.ran(listed(names, locale), names.length)}{' '}
      {able.length > 0 && unable.length > 0 && words.resume.unable(listed(unable, locale))}
    </Notice>
  )
}

function useNames(resumable: readonly Resumable[]): string[] {
  return useStore(
    agentStore,
    useShallow((all) => resumable.map(({ agentId }) => all.get(agentId)?.name).filter((name) => name !== undefined)),
  )
}
