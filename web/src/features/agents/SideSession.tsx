import { useStore } from 'zustand'
import { Since } from '../../bind/Since'
import { besideText } from '../../state/agentFace'
import type { ProjectAgent } from '../../state/agents'
import { permissionStore } from '../../state/permissions'
import { Glyph } from '../../ui/Glyph'
import { useWords } from '../../words/useWords'

/** Below its agent: what the session beside the agent's terminal is at, of which the terminal's own state says nothing. */
export function SideSession({ agent }: { agent: ProjectAgent }) {
  const words = useWords()
  const { sideSession, liveTurn } = agent
  const isAsking = useStore(permissionStore, (all) => [...all.values()].some((one) => one.agentId === agent.id))
  if (sideSession === null) return null
  const state = isAsking ? 'needs-you' : liveTurn === null ? 'idle' : 'working-for'
  return (
    <span className="beside">
      <Glyph name={state} tone={state === 'working-for' ? 'working' : state} />
      <span className="grow">{liveTurn === null ? words.agentList.besideIdle : besideText(liveTurn, words)}</span>
      {isAsking && <span className="state is-needs-you">{words.state.needsYou}</span>}
      {!isAsking && liveTurn !== null && <Since atMs={liveTurn.startedAtMs} />}
    </span>
  )
}
