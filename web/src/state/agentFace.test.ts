import { describe, expect, it } from 'vitest'
import { agent, liveTurn, NOW, readiness, session } from '../testing/builders'
import { en } from '../words/en'
import { fr } from '../words/fr'
import { beliefOf, faceOf } from './agentFace'
import { reasonText } from './failureText'

describe('the face of an agent', () => {
  it.each([
    [readiness({ state: 'starting', reason: 'launching' }), 'starting', 'starting'],
    [readiness(), 'idle', 'idle'],
    [readiness({ state: 'waitingPermission' }), 'needs-you', 'needs you'],
    [readiness({ state: 'rateLimited' }), 'needs-you', 'needs you'],
    [readiness({ state: 'stalled', sinceAtMs: NOW - 360_000 }), 'stalled', 'stalled 6 min'],
    [readiness({ state: 'restarting' }), 'restarting', 'restarting'],
    [readiness({ state: 'exited', reason: 'neverLaunched' }), 'exited', 'not started'],
    [readiness({ state: 'exited', reason: 'ended', exitCode: 0 }), 'exited', 'exited, code 0'],
    [readiness({ state: 'exited', reason: 'ended', exitCode: 3 }), 'danger', 'exited, code 3'],
    [readiness({ state: 'exited', reason: 'ended', exitCode: -9 }), 'danger', 'ended by signal 9'],
  ])('of %o is %s, %s', (value, tone, word) => {
    expect(faceOf(agent('QA', { readiness: value }), en, 'en', NOW)).toMatchObject({ tone, word })
  })

  it('says for whom it works', () => {
    const working = readiness({ state: 'working', reason: 'turnRunning' })
    const forMain = liveTurn({ requester: { id: 'main', name: 'Main', source: 'mcp' } })

    expect(faceOf(agent('QA', { readiness: working, liveTurn: forMain }), fr, 'fr', NOW)).toMatchObject({
      glyph: 'working-for',
      word: 'occupé pour Main',
    })
    expect(faceOf(agent('QA', { readiness: working, liveTurn: liveTurn() }), en, 'en', NOW).glyph).toBe('working')
  })

  it('says whom it answers beside its terminal, whose state stays its own', () => {
    const forMain = liveTurn({ requester: { id: 'main', name: 'Main', source: 'mcp' } })
    const qa = agent('QA', { readiness: readiness(), liveTurn: forMain, sideSession: session({ kind: 'structured' }) })

    expect(faceOf(qa, en, 'en', NOW)).toMatchObject({ tone: 'idle', word: 'idle' })
    expect(beliefOf(qa, en, NOW)).toContain('Answers Main beside its terminal · ')
    expect(beliefOf({ ...qa, liveTurn: liveTurn() }, fr, NOW)).toContain('Vous répond à côté de son terminal · ')
    expect(beliefOf({ ...qa, sideSession: null }, en, NOW)).not.toContain('beside')
  })

  it('names reason, detail, source and age of the belief', () => {
    const value = readiness({ state: 'stalled', reason: 'silent', detail: 'Uploading', sinceAtMs: NOW - 40_000 })

    expect(beliefOf(agent('QA', { readiness: value }), en, NOW)).toBe(
      'No sign of life: Uploading · its engine, 40 s ago',
    )
    expect(beliefOf(agent('QA', { readiness: value }), fr, NOW)).toBe(
      'Aucun signe de vie : Uploading · son moteur, il y a 40 s',
    )
  })

  it('says for whom a turn runs, and of the person “you”', () => {
    const value = (detail: string) => readiness({ state: 'working', reason: 'turnRunning', detail })
    const forMain = liveTurn({ requester: { id: 'main', name: 'Main', source: 'mcp' } })

    expect(beliefOf(agent('QA', { readiness: value('human') }), fr, NOW)).toContain('Travaille pour vous ·')
    expect(beliefOf(agent('QA', { readiness: value('Main'), liveTurn: forMain }), en, NOW)).toContain(
      'Works for Main ·',
    )
    expect(beliefOf(agent('QA', { readiness: value('compacting') }), en, NOW)).toContain('In a turn: compacting ·')
  })

  it('takes no agent for the person, whatever it is named', () => {
    const value = readiness({ state: 'working', reason: 'turnRunning', detail: 'human' })
    const forNamesake = liveTurn({ requester: { id: 'a1', name: 'human', source: 'mcp' } })

    expect(beliefOf(agent('QA', { readiness: value, liveTurn: forNamesake }), en, NOW)).toContain('Works for human ·')
    expect(beliefOf(agent('QA', { readiness: value, liveTurn: liveTurn() }), en, NOW)).toContain('Works for you ·')
  })

  it('claims nothing of an agent that never ran', () => {
    const value = readiness({ state: 'exited', reason: 'neverLaunched', source: 'keeper' })

    expect(beliefOf(agent('QA', { readiness: value }), en, NOW)).toBe('Starts with your first message')
  })
})

it('says in the person’s language why it is not there any more', () => {
  const lost = readiness({
    state: 'exited',
    reason: 'lost',
    source: 'keeper',
    detail: 'the keeper of its processes has ended',
    fields: { why: 'endedWithKeeper', code: 'LOST' },
  })

  const said = beliefOf({ readiness: lost, liveTurn: null }, fr, NOW)

  expect(said).toContain(reasonText({ reason: '', fields: lost.fields }, fr))
  expect(said).not.toContain('keeper of')
})
