/** Where the server's facts enter the page: snapshots replace, events apply, each store takes what is its own. */

import type { ServerEvent, Snapshot } from '../wire/shapes'
import { agentStore, agentsOf, applyToAgents } from './agents'
import { connectionStore } from './connection'
import { applyToConversations, conversationStore } from './conversations'
import { applyToDelegations, delegationStore, delegationsOf } from './delegations'
import { reloadConversations } from './loadConversation'
import { dropNotice, postServerNotice, takeNotices, takeUnopened } from './notices'
import { applyToPermissions, permissionStore, permissionsOf } from './permissions'
import { applyToProjects, projectStore, projectsOf } from './project'
import { closeDialogOfProject, selectionStore, settledProject } from './selection'

const FRAME_MS = 16
/** Events are applied together once a frame: an agent that floods must not make the page draw at its pace. */

const waiting: ServerEvent[] = []

export function takeSnapshot(snapshot: Snapshot): void {
  // What came before it is in it, but for the notices.
  takeWaiting()
  projectStore.setState(projectsOf(snapshot), true)
  agentStore.setState(agentsOf(snapshot), true)
  delegationStore.setState(delegationsOf(snapshot), true)
  permissionStore.setState(permissionsOf(snapshot), true)
  connectionStore.setState({
    hasState: true,
    clockSkewMs: snapshot.nowMs - Date.now(),
  })
  settleProject()
  for (const project of snapshot.projects) takeNotices(project)
  takeUnopened(snapshot.unopened)
  // A snapshot carries no conversations, and what was appended before it is not sent again.
  reloadConversations()
}

export function takeEvent(event: ServerEvent): void {
  waiting.push(event)
  if (waiting.length === 1) setTimeout(takeWaiting, FRAME_MS)
}

function takeWaiting(): void {
  const events = waiting.splice(0)
  if (events.length === 0) return
  projectStore.setState((projects) => events.reduce(applyToProjects, projects), true)
  agentStore.setState((agents) => events.reduce(applyToAgents, agents), true)
  delegationStore.setState((delegations) => events.reduce(applyToDelegations, delegations), true)
  permissionStore.setState((permissions) => events.reduce(applyToPermissions, permissions), true)
  conversationStore.setState((conversations) => events.reduce(applyToConversations, conversations), true)
  if (events.some((event) => event.type === 'projectOpened' || event.type === 'projectClosed')) settleProject()
  for (const event of events) {
    if (event.type === 'noticePosted') postServerNotice(event.projectId, event)
    if (event.type === 'noticeDismissed') dropNotice(event.projectId, event.number)
    if (event.type === 'projectOpened') takeNotices(event.project)
  }
}

function settleProject(): void {
  const open = [...projectStore.getState().keys()]
  const { projectId } = selectionStore.getState()
  const settled = settledProject(projectId, open)
  if (settled === projectId) return
  // Nobody could answer its dialog any more, and what waits for that answer would wait for ever.
  if (projectId !== null) closeDialogOfProject()
  selectionStore.setState({ projectId: settled })
}
