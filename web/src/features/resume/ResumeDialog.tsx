import { useState } from 'react'
import { postFailure } from '../../state/notices'
import { saveSettings } from '../../state/openProject'
import type { ProjectFacts } from '../../state/project'
import { leaveStopped, resumeAgents } from '../../state/resumable'
import { Dialog } from '../../ui/Dialog'
import { useWords } from '../../words/useWords'
import { ResumeRow } from './ResumeRow'

interface ResumeDialogProps {
  project: ProjectFacts
  onClose: () => void
}

/** What ran, agent by agent, and whether it is asked again next time. It closes when nothing is left to decide. */
export function ResumeDialog({ project, onClose }: ResumeDialogProps) {
  const words = useWords()
  const { resumable, settings } = project
  const [isAutomatic, setIsAutomatic] = useState(settings.resume === 'auto')
  const able = resumable.filter(({ canResume }) => canResume).map(({ agentId }) => agentId)
  const choose = async (isChecked: boolean) => {
    setIsAutomatic(isChecked)
    const result = await saveSettings(project.id, { ...settings, resume: isChecked ? 'auto' : 'offer' })
    if (result.ok) return
    setIsAutomatic(!isChecked)
    postFailure(words.settingsForm.notSaved, result.failure)
  }
  const resumeAll = async () => {
    if (await resumeAgents(project.id, able, words.resume.notResumed)) onClose()
  }
  const leave = () => {
    void leaveStopped(project.id, words.resume.notLeft)
    onClose()
  }
  return (
    <Dialog title={words.resume.title} lead={words.resume.lead} closeLabel={words.close} onClose={onClose}>
      <div className="dialog-body">
        {resumable.length === 0 ? (
          <p className="soft">{words.resume.none}</p>
        ) : (
          <ul className="resume-list">
            {resumable.map((one) => (
              <ResumeRow key={one.agentId} projectId={project.id} resumable={one} />
            ))}
          </ul>
        )}
        <label className="check">
          <input type="checkbox" checked={isAutomatic} onChange={(event) => void choose(event.target.checked)} />
          <span>{words.resume.always}</span>
        </label>
      </div>
      <footer className="dialog-foot">
        {resumable.length > 0 && (
          <button type="button" className="btn quiet start" onClick={leave}>
            {words.resume.notNow}
          </button>
        )}
        <button type="button" className="btn" onClick={onClose}>
          {words.close}
        </button>
        {able.length > 0 && (
          <button type="button" className="btn primary" onClick={() => void resumeAll()}>
            {words.resume.all(able.length)}
          </button>
        )}
      </footer>
    </Dialog>
  )
}
