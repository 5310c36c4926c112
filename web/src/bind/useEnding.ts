import { useStore } from 'zustand'
import { type Agents, agentStore, type ProjectAgent } from '../state/agents'
import { closingText, endingText } from '../state/ending'
import { useWords } from '../words/useWords'

/** What stopping this agent ends; empty while it ends nothing. */
export function useEnding(agentId: string): string {
  const words = useWords()
  return useStore(agentStore, (all) => endingText(only(all.get(agentId)), words))
}

/** What closing this project ends. */
export function useClosing(projectId: string): string {
  const words = useWords()
  return useStore(agentStore, (all) => closingText(agentsIn(all, projectId), words))
}

function only(agent: ProjectAgent | undefined): readonly ProjectAgent[] {
  return agent === undefined ? [] : [agent]
}

function agentsIn(agents: Agents, projectId: string): readonly ProjectAgent[] {
  return [...agents.values()].filter((agent) => agent.projectId === projectId)
}
