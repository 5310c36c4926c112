import { expect, it } from 'vitest'
import { agent, delegation, permission, readiness } from '../testing/builders'
import { blockerFor, blockerOf } from './blocker'
import { permissionKey } from './permissions'

const by = (id: string) => ({ id, name: id, source: 'mcp' }) as const
const chain = [
  delegation('d1', { requester: by('main'), targetId: 'architect' }),
  delegation('d2', { requester: by('architect'), targetId: 'qa' }),
]
const asked = readiness({ state: 'waitingPermission', reason: 'permissionAsked' })

function known(qa: Parameters<typeof agent>[1], asks = chain) {
  const agents = [agent('Main'), agent('Architect'), agent('QA', qa)]
  return {
    agents: new Map(agents.map((one) => [one.id, one])),
    delegations: new Map(asks.map((one) => [one.ticketId, one])),
    permissions: new Map(),
  }
}

it.each([
  ['a request', { readiness: asked }],
  ['a silence', { readiness: readiness({ state: 'stalled', reason: 'silent' }) }],
  ['a limit without an end', { readiness: readiness({ state: 'rateLimited', reason: 'limitReported' }) }],
])('%s at the end of a chain shows at its beginning', (_, qa) => {
  for (const ask of chain) expect(blockerOf(ask, known(qa))?.name).toBe('QA')
  expect(blockerFor('main', known(qa))?.name).toBe('QA')
})

it('shows for a request beside a terminal too', () => {
  const one = permission('r1', { agentId: 'qa' })

  expect(blockerFor('main', { ...known({}), permissions: new Map([[permissionKey(one), one]]) })?.name).toBe('QA')
})

it('shows not where nobody is needed, the ask only waits in a line, or it was settled', () => {
  expect(blockerFor('main', known({}))).toBeNull()
  expect(blockerFor('qa', known({ readiness: asked }))).toBeNull()
  for (const state of ['queued', 'answered'] as const) {
    const asks = [delegation('d1', { requester: by('main'), targetId: 'qa', state })]
    expect(blockerFor('main', known({ readiness: asked }, asks))).toBeNull()
  }
})

it('ends in a circle', () => {
  const circle = [...chain, delegation('d3', { requester: by('qa'), targetId: 'main' })]

  expect(blockerFor('main', known({}, circle))).toBeNull()
})
