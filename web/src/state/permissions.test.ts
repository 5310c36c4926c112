import { describe, expect, it } from 'vitest'
import { permission } from '../testing/builders'
import { applyToPermissions, type Permissions } from './permissions'

describe('what waits to be allowed', () => {
  it('keeps apart the requests of two agents that number them alike', () => {
    const nothing: Permissions = new Map()
    const asked = ['main', 'qa'].reduce<Permissions>(
      (known, agentId, seq) =>
        applyToPermissions(known, {
          type: 'permissionAsked',
          seq,
          projectId: 'p',
          permission: permission('request-1', { agentId }),
        }),
      nothing,
    )
    expect([...asked.values()].map((one) => one.agentId)).toEqual(['main', 'qa'])

    const settled = applyToPermissions(asked, {
      type: 'permissionSettled',
      seq: 3,
      projectId: 'p',
      agentId: 'main',
      requestId: 'request-1',
      decision: 'deny',
      by: 'human',
    })
    expect([...settled.values()].map((one) => one.agentId)).toEqual(['qa'])
  })
})
