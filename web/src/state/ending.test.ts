import { expect, it } from 'vitest'
import { agent, liveTurn, readiness, session } from '../testing/builders'
import { en } from '../words/en'
import { fr } from '../words/fr'
import { closingText, endingText } from './ending'

const AT_WORK = agent('Main', { session: session(), liveTurn: liveTurn(), queueLength: 2 })
const IN_TERMINAL = agent('QA', { session: session({ kind: 'pty' }), readiness: readiness({ state: 'working' }) })

it('counts the turn and the waiting messages that a stop ends', () => {
  expect(endingText([AT_WORK], en)).toBe('breaks off 1 turn, leaves 2 waiting messages undelivered')
  expect(endingText([IN_TERMINAL], fr)).toBe('interrompt 1 tour')
  expect(endingText([agent('Ops', { session: session() })], en)).toBe('')
})

it('counts what closing a project ends, and says so where nothing runs', () => {
  const idle = agent('Ops', { session: session() })

  expect(closingText([AT_WORK, IN_TERMINAL, idle, agent('Off')], en)).toBe(
    'stops 3 agents, breaks off 2 turns, leaves 2 waiting messages undelivered',
  )
  expect(closingText([agent('Off')], en)).toBe('no agent runs')
})
