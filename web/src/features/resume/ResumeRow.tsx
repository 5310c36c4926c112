import { useStore } from 'zustand'
import { FailureDetail } from '../../bind/FailureNotice'
import { useFace } from '../../bind/useFace'
import { agentStore, type ProjectAgent } from '../../state/agents'
import { reasonText } from '../../state/failureText'
import { resumeAgents, resumeStore } from '../../state/resumable'
import { Glyph } from '../../ui/Glyph'
import { Sentence } from '../../ui/Sentence'
import type { Resumable } from '../../wire/shapes'
import { useLocale, useWords } from '../../words/useWords'
import { dayAndTime } from '../../words/words'

interface ResumeRowProps {
  projectId: string
  resumable: Resumable
}

export function ResumeRow({ projectId, resumable }: ResumeRowProps) {
  const agent = useStore(agentStore, (all) => all.get(resumable.agentId))
  return agent === undefined ? null : <Row projectId={projectId} resumable={resumable} agent={agent} />
}

/** One agent: since when it ran and as what, and its own button, or why it cannot go on. */
function Row({ projectId, resumable, agent }: ResumeRowProps & { agent: ProjectAgent }) {
  const words = useWords()
  const locale = useLocale()
  const face = useFace(agent)
  const state = useStore(resumeStore, (all) => all.get(agent.id))
  const { startedAtMs, view, canResume } = resumable
  const since = startedAtMs === null ? null : words.resume.since(dayAndTime(startedAtMs, locale))
  const isPending = state?.phase === 'pending'
  const resume = () => void resumeAgents(projectId, [agent.id], words.resume.notResumed)
  return (
    <li className="resume-row">
      <Glyph name={face.glyph} tone={face.tone} isLive={face.isLive} />
      <div className="grow">
        <b className="strong">{agent.name}</b>
        <p className="small muted">
          {[view === 'chat' ? words.cell.chatView : words.cell.tuiView, since].filter(Boolean).join(' · ')}
        </p>
        {!canResume && (
          <p className="small">
            <Sentence text={reasonText(resumable, words)} /> {words.resume.startInstead}
          </p>
        )}
        {state?.phase === 'failed' && (
          <div className="small is-danger" role="alert">
            <FailureDetail failure={state.failure} />
          </div>
        )}
      </div>
      {canResume && (
        <button
          type="button"
          className="btn s"
          disabled={isPending}
          aria-label={words.resume.one(agent.name)}
          onClick={resume}
        >
          {isPending ? words.resume.pending : words.resume.button}
        </button>
      )}
    </li>
  )
}
