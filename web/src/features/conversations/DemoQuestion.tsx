import { useStore } from 'zustand'
import type { ProjectAgent } from '../../state/agents'
import { projectStore } from '../../state/project'
import { sendWritten, write } from '../../state/writing'
import { useWords } from '../../words/useWords'

const FIRST = 'main'
/** The demo's agent that passes a question on through the whole team. */

/** In the demo, something to ask by a click: nobody knows yet what this team is about. */
export function DemoQuestion({ agent }: { agent: ProjectAgent }) {
  const words = useWords()
  const isDemo = useStore(projectStore, (projects) => projects.get(agent.projectId)?.isDemo ?? false)
  if (!isDemo || agent.slug !== FIRST) return null
  const ask = () => {
    write(agent.id, words.chat.demoQuestion)
    void sendWritten(agent.id)
  }
  return (
    <button type="button" className="btn" onClick={ask}>
      {words.chat.demoQuestion}
    </button>
  )
}
