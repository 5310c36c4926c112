import { InstallHint } from '../../bind/InstallHint'
import { useIsUnknownProfile, useProfile } from '../../bind/useProfile'
import type { ProjectAgent } from '../../state/agents'
import { lookForProfiles } from '../../state/profiles'
import { openDialog } from '../../state/selection'
import { Notice } from '../../ui/Notice'
import { useWords } from '../../words/useWords'

/** Before the first message is lost on it: the agent's CLI is not there, and how to get it. */
export function MissingCli({ agent }: { agent: ProjectAgent }) {
  const words = useWords()
  const profile = useProfile(agent.projectId, agent.profile)
  const isUnknown = useIsUnknownProfile(agent.projectId, agent.profile)
  if (isUnknown && agent.session === null) {
    return (
      <Notice
        tone="danger"
        icon="x"
        title={words.cell.unknownCli(agent.profile)}
        actions={
          <button type="button" className="btn s" onClick={() => openDialog({ name: 'editAgent', agentId: agent.id })}>
            {words.agentList.edit}
          </button>
        }
      >
        {words.cell.unknownCliDetail}
      </Notice>
    )
  }
  if (profile === undefined || profile.missing === null || agent.session !== null) return null
  return (
    <Notice
      tone="idle"
      icon="down-load"
      title={words.cell.missingCli(profile.name)}
      actions={
        <button type="button" className="btn s" onClick={() => void lookForProfiles(agent.projectId)}>
          {words.firstRun.lookAgain}
        </button>
      }
    >
      <InstallHint profile={profile} />
    </Notice>
  )
}
