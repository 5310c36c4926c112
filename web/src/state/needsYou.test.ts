import { expect, it } from 'vitest'
import { agent, NOW, permission, project, readiness, session } from '../testing/builders'
import { needsOf } from './needsYou'

it('lists requests first, then what is stuck, then trust', () => {
  const stuck = agent('Release', { readiness: readiness({ state: 'stalled', sinceAtMs: NOW - 99_000 }) })
  const untrusted = project({ trust: { isTrusted: false, hash: 'h', items: [] } })

  const needs = needsOf(
    untrusted,
    [agent('Main'), stuck],
    [permission('later', { askedAtMs: NOW + 1 }), permission('first')],
  )

  expect(needs.map((need) => need.id)).toEqual(['main/first', 'main/later', 'release', 'h'])
})

it('asks about a limit only if nobody knows when it ends', () => {
  const limited = (untilAtMs: number | null) =>
    agent('Main', { readiness: readiness({ state: 'rateLimited', untilAtMs }) })

  expect(needsOf(project(), [limited(NOW)], [])).toEqual([])
  expect(needsOf(project(), [limited(null)], []).map((need) => need.kind)).toEqual(['limited'])
})

it('sends to the terminal that asks, but not to a chat, whose request is in the list', () => {
  const asking = (kind: 'pty' | 'structured') =>
    agent('Main', {
      readiness: readiness({ state: 'waitingPermission', reason: 'trustAsked', source: 'screen' }),
      session: session({ kind }),
    })

  expect(needsOf(project(), [asking('pty')], []).map((need) => [need.kind, need.id])).toEqual([['terminal', 'main']])
  expect(needsOf(project(), [asking('structured')], [])).toEqual([])
})
