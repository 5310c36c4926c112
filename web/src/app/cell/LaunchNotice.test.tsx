// @vitest-environment jsdom
import { cleanup, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { agentStore } from '../../state/agents'
import { launchAgent, launchStore } from '../../state/launch'
import { selectionStore } from '../../state/selection'
import { agent } from '../../testing/builders'
import { answerWith, sentTo } from '../../testing/fakeServer'
import { renderInPage } from '../../testing/renderInPage'
import { type CellPlace, CellPlaceContext } from '../cellPlace'
import { LaunchNotice } from './LaunchNotice'

const QA = agent('QA')

function refusal(code: string, fields: object) {
  return { code, outcome: code, message: `${code} happened.`, advice: 'Do this.', fields }
}

function show(focused: string[] = []): void {
  const place: CellPlace = {
    showAgent: () => {},
    focus: (nodeId) => focused.push(nodeId),
    split: () => {},
    closeCell: () => {},
    toggleMaximised: () => {},
  }
  renderInPage(
    <CellPlaceContext value={place}>
      <LaunchNotice nodeId="here" agent={QA} />
    </CellPlaceContext>,
  )
}

describe('a launch that does not happen', () => {
  beforeEach(() => {
    agentStore.setState(new Map([['qa', QA]]), true)
    launchStore.setState(new Map(), true)
    selectionStore.setState({ dialog: null })
  })
  afterEach(cleanup)

  it('because the agent lives in another cell: go there, or move it here', async () => {
    answerWith(refusal('AGENT_ALREADY_RUNNING', { agentId: 'qa', nodeId: 'there' }), 409)
    await launchAgent({ agentId: 'qa', nodeId: 'here', view: 'terminal' })
    const focused: string[] = []
    show(focused)

    await userEvent.click(screen.getByRole('button', { name: 'Go to its cell' }))
    expect(focused).toEqual(['there'])

    const sent = answerWith({})
    await userEvent.click(screen.getByRole('button', { name: 'Move here' }))
    expect(sentTo(sent, '/launch')).toEqual([{ nodeId: 'here', view: 'terminal', isReattach: true, isFresh: false }])
    expect(screen.queryByRole('alert')).toBeNull()
  })

  it('because it lives in the background: only move it here', async () => {
    answerWith(refusal('AGENT_ALREADY_RUNNING', { agentId: 'qa', nodeId: null }), 409)
    await launchAgent({ agentId: 'qa', nodeId: 'here', view: 'chat' })
    show()

    expect(screen.getAllByRole('button').map((button) => button.textContent)).toEqual(['Move here'])
  })

  it('because the project is not trusted: the trust dialog opens', async () => {
    answerWith(refusal('TRUST_REQUIRED', { hash: 'h' }), 403)

    expect(await launchAgent({ agentId: 'qa', nodeId: 'here', view: 'chat' })).toBe(false)

    expect(selectionStore.getState().dialog).toEqual({ name: 'trust' })
  })

  it('because its CLI failed: what, why, and what to do', async () => {
    answerWith(refusal('ENGINE_FAILED', { reason: 'no such program.' }), 502)
    await launchAgent({ agentId: 'qa', nodeId: 'here', view: 'chat' })
    show()

    expect(screen.getByRole('alert').textContent).toContain('QA did not startIts CLI gave up: no such program. Check')
  })
})
