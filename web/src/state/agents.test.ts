import { describe, expect, it } from 'vitest'
import { agent, liveTurn, NOW, readiness } from '../testing/builders'
import type { ServerEvent } from '../wire/shapes'
import { type Agents, applyToAgents } from './agents'

const AT = { seq: 1, projectId: 'p' }
const TURN = { agentId: 'main', turnId: 't' }

function applied(start: Agents, ...events: ServerEvent[]): Agents {
  return events.reduce(applyToAgents, start)
}

function team(...agents: ReturnType<typeof agent>[]): Agents {
  return new Map(agents.map((one) => [one.id, one]))
}

describe('agents', () => {
  it('stream text, and begin anew after each announcement', () => {
    const said = { type: 'agentAnnouncement', requester: 'human', target: 'main', turnId: 't', ticketId: null } as const
    const agents = applied(
      team(agent('Main', { liveTurn: liveTurn() })),
      { type: 'turnTextStreamed', ...AT, ...TURN, offset: 0, text: 'I look ' },
      { type: 'turnTextStreamed', ...AT, ...TURN, offset: 7, text: 'at it' },
      { ...said, ...AT, text: 'I look at it', atMs: NOW },
      { type: 'turnTextStreamed', ...AT, ...TURN, offset: 0, text: 'Done' },
    )

    expect(agents.get('main')?.liveTurn).toMatchObject({
      text: 'Done',
      announcements: [{ text: 'I look at it', atMs: NOW }],
    })
  })

  it('take a new one in where a snapshot would list it, by its id', () => {
    const start = team(agent('Main', { id: '0199-a' }), agent('QA', { id: '0199-b' }))
    const agents = applied(start, { type: 'agentSaved', ...AT, agent: agent('Architect', { id: '0199-c' }) })

    expect([...agents.values()].map((one) => one.name)).toEqual(['Main', 'QA', 'Architect'])
  })

  it('drop the running turn when it ends, and only that one', () => {
    const start = team(agent('Main', { liveTurn: liveTurn() }))
    const ended = { type: 'turnEnded', ...AT, agentId: 'main', outcome: 'ANSWERED', atMs: NOW } as const

    expect(applied(start, { ...ended, turnId: 'another' }).get('main')?.liveTurn).not.toBeNull()
    expect(applied(start, { ...ended, turnId: 't' }).get('main')?.liveTurn).toBeNull()
  })

  it('replace a tool by its later phase', () => {
    const tool = { callId: 'c', tool: 'Read', summary: 'a.ts', phase: 'started', detail: '' } as const
    const agents = applied(
      team(agent('Main', { liveTurn: liveTurn() })),
      { type: 'turnToolChanged', ...AT, ...TURN, tool },
      { type: 'turnToolChanged', ...AT, ...TURN, tool: { ...tool, phase: 'ended' } },
    )

    expect(agents.get('main')?.liveTurn?.tools).toEqual([{ ...tool, phase: 'ended' }])
  })

  it('keep turn and queue of a known agent whose file was saved', () => {
    const turn = liveTurn()
    const { projectId: _, ...saved } = agent('Main', { model: 'large' })
    const agents = applied(team(agent('Main', { liveTurn: turn })), { type: 'agentSaved', ...AT, agent: saved })

    expect(agents.get('main')).toMatchObject({ model: 'large', liveTurn: turn, projectId: 'p' })
  })

  it('ignore late events of an agent that was removed', () => {
    const start = team(agent('Main'))
    const removed = applied(start, { type: 'agentRemoved', ...AT, agentId: 'main' })
    const changed = { type: 'agentReadinessChanged', ...AT, agentId: 'main', readiness: readiness() } as const

    expect(removed.size).toBe(0)
    expect(applied(removed, changed)).toBe(removed)
  })

  it('leave the same object for events that concern nobody', () => {
    const start = team(agent('Main'))

    expect(applied(start, { type: 'projectClosed', ...AT, projectId: 'another' }).get('main')).toBe(start.get('main'))
    expect(
      applied(start, {
        type: 'noticePosted',
        ...AT,
        number: 1,
        code: 'fileTrouble',
        detail: '',
        slug: null,
        fields: {},
      }),
    ).toBe(start)
  })
})
