// @vitest-environment jsdom
import { cleanup, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { agentStore } from '../../state/agents'
import { placeCell, takeCells } from '../../state/cells'
import { launchAgent, launchStore } from '../../state/launch'
import { projectStore } from '../../state/project'
import { closeDialog, selectionStore } from '../../state/selection'
import { agent, project } from '../../testing/builders'
import { answerInTurn, answerWith, sentTo } from '../../testing/fakeServer'
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
    canSplit: () => false,
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
    takeCells('p', [])
    selectionStore.setState({ dialog: null })
  })
  afterEach(cleanup)

  it('because the agent lives in another cell: go there, or move it here', async () => {
    answerWith(refusal('AGENT_ALREADY_RUNNING', { agentId: 'qa', nodeId: 'there' }), 409)
    await launchAgent({ agentId: 'qa', nodeId: 'here', view: 'terminal' })
    placeCell('there', null, 'chat')
    const focused: string[] = []
    show(focused)

    await userEvent.click(screen.getByRole('button', { name: 'Go to its cell' }))
    expect(focused).toEqual(['there'])

    const sent = answerWith({})
    await userEvent.click(screen.getByRole('button', { name: 'Move here' }))
    expect(sentTo(sent, '/launch')).toEqual([{ nodeId: 'here', view: 'terminal', isReattach: true, opening: 'resume' }])
    expect(screen.queryByRole('alert')).toBeNull()
  })

  it.each([
    ['in the background', null],
    ['in a cell of another layout', 'unseen'],
  ])('because it lives %s: only move it here', async (_, nodeId) => {
    answerWith(refusal('AGENT_ALREADY_RUNNING', { agentId: 'qa', nodeId }), 409)
    await launchAgent({ agentId: 'qa', nodeId: 'here', view: 'chat' })
    show()

    expect(screen.getAllByRole('button').map((button) => button.textContent)).toEqual(['Move here'])
  })

  it('because the project is not trusted: it waits for the approval, then starts', async () => {
    projectStore.setState(new Map([['p', project()]]), true)
    const { sent, answer } = answerInTurn()
    const launched = launchAgent({ agentId: 'qa', nodeId: 'here', view: 'chat' })

    await answer(refusal('TRUST_REQUIRED', { hash: 'h' }), 403)
    await vi.waitFor(() => expect(selectionStore.getState().dialog).toEqual({ name: 'trust' }))
    projectStore.setState(new Map([['p', project({ trust: { isTrusted: true, hash: 'h', items: [] } })]]), true)
    closeDialog()
    await answer({})

    expect(await launched).toBe(true)
    expect(sentTo(sent, '/launch').length).toBe(2)
    expect(launchStore.getState().size).toBe(0)
  })

  it('because the person approves nothing: the cell says why, and nothing is tried again', async () => {
    projectStore.setState(new Map([['p', project({ trust: { isTrusted: false, hash: 'h', items: [] } })]]), true)
    const sent = answerWith(refusal('TRUST_REQUIRED', { hash: 'h' }), 403)
    const launched = launchAgent({ agentId: 'qa', nodeId: 'here', view: 'chat' })

    await vi.waitFor(() => expect(selectionStore.getState().dialog).toEqual({ name: 'trust' }))
    closeDialog()

    expect(await launched).toBe(false)
    expect(sentTo(sent, '/launch').length).toBe(1)
    show()
    expect(screen.getByRole('alert').textContent).toContain('QA did not start')
  })

  it('because its CLI failed: what, why, and what to do', async () => {
    answerWith(refusal('ENGINE_FAILED', { reason: 'no such program.' }), 502)
    await launchAgent({ agentId: 'qa', nodeId: 'here', view: 'chat' })
    show()

    expect(screen.getByRole('alert').textContent).toContain('QA did not startIts CLI gave up: no such program. Check')
  })
})
