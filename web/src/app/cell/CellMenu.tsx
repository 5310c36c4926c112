import type { FocusEvent } from 'react'
import { useStore } from 'zustand'
import { useEnding } from '../../bind/useEnding'
import { useProfile } from '../../bind/useProfile'
import type { ProjectAgent } from '../../state/agents'
import { launchAgent, stopAgent } from '../../state/launch'
import { openMessageBar } from '../../state/messageBars'
import { postFailure, postNotice } from '../../state/notices'
import { openDialog } from '../../state/selection'
import { shownTerminals } from '../../terminal/shownTerminals'
import { IconButton } from '../../ui/IconButton'
import { Menu, MenuItem, MenuRule } from '../../ui/Menu'
import type { Opening, View } from '../../wire/shapes'
import type { Words } from '../../words/en'
import { useWords } from '../../words/useWords'
import type { Side } from '../Arrangement'
import { useCellPlace } from '../cellPlace'
import { useMessageBar } from './useMessageBar'

interface CellMenuProps {
  nodeId: string
  agent: ProjectAgent | undefined
  view: View
  /** A narrow screen shows one cell: nothing to split or close. */
  isSingle?: boolean
}

export function CellMenu({ nodeId, agent, view, isSingle = false }: CellMenuProps) {
  const words = useWords()
  const place = useCellPlace()
  return (
    <Menu align="end" trigger={<IconButton icon="more" label={words.cell.menu} onFocus={keepTipAway} />}>
      {agent !== undefined && <AgentItems nodeId={nodeId} agent={agent} view={view} />}
      {!isSingle && (
        <>
          {agent !== undefined && <MenuRule />}
          <SplitItem nodeId={nodeId} side="right" label={words.cell.splitRight} />
          <SplitItem nodeId={nodeId} side="below" label={words.cell.splitDown} />
          <MenuItem
            icon="x"
            detail={agent?.session == null ? '' : words.cell.closeDetail}
            onSelect={() => place.closeCell(nodeId)}
          >
            {words.cell.close}
          </MenuItem>
        </>
      )}
    </Menu>
  )
}

/** Says why it cannot be chosen: two cells would be too small to read. */
function SplitItem({ nodeId, side, label }: { nodeId: string; side: Side; label: string }) {
  const words = useWords()
  const place = useCellPlace()
  const hasRoom = place.canSplit(nodeId, side)
  return (
    <MenuItem
      isDisabled={!hasRoom}
      detail={hasRoom ? '' : words.cell.noRoom}
      onSelect={() => place.split(nodeId, side)}
    >
      {label}
    </MenuItem>
  )
}

/** The focus comes back when the menu closes: no reason to explain the button again. */
function keepTipAway(event: FocusEvent): void {
  event.preventDefault()
}

function AgentItems({ nodeId, agent, view }: { nodeId: string; agent: ProjectAgent; view: View }) {
  const words = useWords()
  const profile = useProfile(agent.projectId, agent.profile)
  const start = (opening: Opening) => void launchAgent({ agentId: agent.id, nodeId, view, opening })
  const bar = useMessageBar(nodeId, agent)
  const shown = useStore(shownTerminals, (all) => all.get(nodeId))
  const ends = useEnding(agent.id)
  const wasRun = agent.readiness.reason !== 'neverLaunched'
  return (
    <>
      {agent.session !== null ? (
        <MenuItem isDanger detail={ends} onSelect={() => void stopAndTell(agent, words)}>
          {words.cell.stop}
        </MenuItem>
      ) : (
        <MenuItem icon="play" isDisabled={profile?.missing != null} onSelect={() => start('resume')}>
          {wasRun ? words.cell.startAgain : words.cell.start}
        </MenuItem>
      )}
      {agent.session === null && agent.conversationId !== null && (
        <>
          <MenuItem onSelect={() => start('primed')}>{words.cell.startPrimed}</MenuItem>
          <MenuItem onSelect={() => start('empty')}>{words.cell.startFresh}</MenuItem>
        </>
      )}
      {profile?.hasConversations === true && (
        <MenuItem onSelect={() => openDialog({ name: 'earlier', agentId: agent.id, nodeId, view })}>
          {words.cell.attach}
        </MenuItem>
      )}
      {shown !== undefined && (
        <MenuItem icon="search" onSelect={() => shown.hands.openSearch()}>
          {words.terminal.search}
        </MenuItem>
      )}
      {view === 'terminal' && bar === 'closed' && (
        <MenuItem onSelect={() => openMessageBar(nodeId)}>{words.cell.write}</MenuItem>
      )}
      <MenuItem icon="pencil" onSelect={() => openDialog({ name: 'editAgent', agentId: agent.id })}>
        {words.cell.edit}
      </MenuItem>
    </>
  )
}

/** True when it no longer runs. */
export async function stopAndTell(agent: ProjectAgent, words: Words): Promise<boolean> {
  const result = await stopAgent(agent.id)
  if (!result.ok) postFailure(words.launch.stopFailed(agent.name), result.failure)
  else if (result.survivors > 0) {
    postNotice('danger', words.launch.stopFailed(agent.name), words.launch.survivors(result.survivors))
  }
  return result.ok
}
