/** Where the server's facts enter the page: snapshots replace, events apply, each store takes what is its own. */

import type { ServerEvent, Snapshot } from '../wire/shapes'
import { agentStore, agentsOf, applyToAgents } from './agents'
import { connectionStore } from './connection'
import { applyToConversations, conversationStore } from './conversations'
import { applyToDelegations, delegationStore, delegationsOf } from './delegations'
import { reloadConversations } from './loadConversation'
import { postNotice } from './notices'
import { applyToPermissions, permissionStore, permissionsOf } from './permissions'
import { applyToProjects, projectStore, projectsOf } from './project'
import { selectionStore, settledProject } from './selection'

export function takeSnapshot(snapshot: Snapshot): void {
  projectStore.setState(projectsOf(snapshot), true)
  agentStore.setState(agentsOf(snapshot), true)
  delegationStore.setState(delegationsOf(snapshot), true)
  permissionStore.setState(permissionsOf(snapshot), true)
  connectionStore.setState({
    hasState: true,
    clockSkewMs: snapshot.nowMs - Date.now(),
    version: snapshot.version,
  })
  settleProject()
  // A snapshot carries no conversations, and what was appended before it is not sent again.
  reloadConversations()
}

export function takeEvent(event: ServerEvent): void {
  projectStore.setState((projects) => applyToProjects(projects, event), true)
  agentStore.setState((agents) => applyToAgents(agents, event), true)
  delegationStore.setState((delegations) => applyToDelegations(delegations, event), true)
  permissionStore.setState((permissions) => applyToPermissions(permissions, event), true)
  conversationStore.setState((conversations) => applyToConversations(conversations, event), true)
  if (event.type === 'projectOpened' || event.type === 'projectClosed') settleProject()
  if (event.type === 'noticePosted') {
    postNotice('warn', { code: event.code, slug: event.slug }, event.detail)
  }
}

function settleProject(): void {
  const open = [...projectStore.getState().keys()]
  const { projectId } = selectionStore.getState()
  const settled = settledProject(projectId, open)
  if (settled !== projectId) selectionStore.setState({ projectId: settled, agentId: null })
}
