/** Giving a cell another agent or another view, and tying the agent's session to it. */

import type { ProjectAgent } from '../../state/agents'
import { cellStore, focusCell, placeCell } from '../../state/cells'
import { clearLaunch, launchAgent, switchView } from '../../state/launch'
import { viewFor } from '../../state/viewFor'
import type { View } from '../../wire/shapes'

/** A running agent comes along with its session; one that does not run starts with its first message or its start button. */
export async function chooseAgent(nodeId: string, agent: ProjectAgent): Promise<void> {
  const view = viewFor(agent, cellStore.getState().byNode.get(nodeId)?.view ?? 'chat')
  clearLaunch(nodeId)
  placeCell(nodeId, agent.id, view)
  focusCell(nodeId)
  if (agent.session !== null && agent.session.nodeId !== nodeId) {
    await launchAgent({ agentId: agent.id, nodeId, view, isReattach: true })
  }
}

/** A running agent's conversation comes along; without a session the view is only looked at. */
export async function takeView(nodeId: string, agent: ProjectAgent, view: View): Promise<void> {
  const isThere = agent.session === null || agent.session.kind === (view === 'terminal' ? 'pty' : 'structured')
  if (isThere || (await switchView(agent.id, nodeId, view))) showView(nodeId, agent.id, view)
}

export function showView(nodeId: string, agentId: string, view: View): void {
  clearLaunch(nodeId)
  placeCell(nodeId, agentId, view)
}
