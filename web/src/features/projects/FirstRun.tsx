import { useState } from 'react'
import { Awaited } from '../../bind/Awaited'
import { FailureNotice } from '../../bind/FailureNotice'
import { useProfiles } from '../../bind/useProfiles'
import type { ProjectFacts } from '../../state/project'
import { createAgent } from '../../state/saveAgent'
import { type Failure, isFailure } from '../../wire/outcome'
import { useWords } from '../../words/useWords'
import { CliList } from './CliList'
import { DemoHint } from './DemoHint'
import { Ideas } from './Ideas'

const FIRST_NAME = 'Main'

/** A project without agents: which CLIs were found, and Main in one click. */
export function FirstRun({ project }: { project: ProjectFacts }) {
  const words = useWords()
  const profiles = useProfiles(project.id)
  const { arrival } = profiles
  const [wished, setWished] = useState<string | null>(null)
  const [failure, setFailure] = useState<Failure | null>(null)
  const [isCreating, setIsCreating] = useState(false)
  const found = profiles.list.filter((profile) => profile.missing === null)
  const chosen = found.find((profile) => profile.id === wished) ?? found.find((profile) => profile.canChat) ?? found[0]
  const create = async () => {
    if (chosen === undefined) return
    setIsCreating(true)
    const result = await createAgent(project.id, {
      name: FIRST_NAME,
      profile: chosen.id,
      permissions: chosen.suggestedPermissions,
    })
    setIsCreating(false)
    setFailure(result.ok ? null : result.failure)
  }
  return (
    <div className="welcome">
      <p className="small muted mono">{project.path}</p>
      <h1>{words.firstRun.title}</h1>
      <p className="lead">{words.firstRun.lead}</p>
      <h2 id="found">
        {words.firstRun.which}
        <span className="muted looked">
          {isFailure(arrival) ? '' : arrival === 'awaited' ? words.firstRun.looking : words.firstRun.looked}
        </span>
        <button type="button" className="btn s quiet" onClick={profiles.look}>
          {words.firstRun.lookAgain}
        </button>
      </h2>
      {isFailure(arrival) ? (
        <Awaited arrival={arrival} title={words.firstRun.notLooked} onRetry={profiles.look} />
      ) : (
        <CliList profiles={profiles.list} chosen={chosen} onChoose={setWished} />
      )}
      {failure !== null && <FailureNotice title={words.form.notSaved} failure={failure} />}
      <p className="go">
        <button
          type="button"
          className="btn primary"
          disabled={chosen === undefined || isCreating}
          onClick={() => void create()}
        >
          {chosen === undefined ? words.firstRun.createNone : words.firstRun.create(chosen.name)}
        </button>
      </p>
      <DemoHint />
      <Ideas trust={project.trust} />
    </div>
  )
}
