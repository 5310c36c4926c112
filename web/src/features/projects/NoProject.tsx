import { useWords } from '../../words/useWords'
import { DemoHint } from './DemoHint'
import { OpenProjectForm } from './OpenProjectForm'

/** The whole page while no project is open. */
export function NoProject() {
  const words = useWords()
  return (
    <div className="welcome">
      <h1>{words.project.none}</h1>
      <p className="lead">{words.project.noneDetail}</p>
      <div className="plain-form">
        <OpenProjectForm onOpened={() => {}} />
      </div>
      <DemoHint />
    </div>
  )
}
