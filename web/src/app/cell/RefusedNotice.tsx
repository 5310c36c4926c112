import type { ProjectAgent } from '../../state/agents'
import { Notice } from '../../ui/Notice'
import { Sentence } from '../../ui/Sentence'
import type { View } from '../../wire/shapes'
import { useWords } from '../../words/useWords'
import { RefusedActions, refusalText } from './RefusedActions'

interface RefusedNoticeProps {
  nodeId: string
  agent: ProjectAgent
  view: View
  onStart?: () => void
}

/** Beside what was said so far: its CLI does not go on with the agent's conversation, and the ways to begin anew. */
export function RefusedNotice(props: RefusedNoticeProps) {
  const words = useWords()
  const text = refusalText(props.agent, words)
  if (text === null) return null
  return (
    <Notice tone="danger" icon="x" role="alert" title={words.refused.title(props.agent.name)}>
      <p>
        <Sentence text={text} />
      </p>
      <p className="acts">
        <RefusedActions {...props} />
      </p>
    </Notice>
  )
}
