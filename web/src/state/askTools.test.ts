import { expect, it } from 'vitest'
import { item } from '../testing/builders'
import type { Tool } from '../wire/shapes'
import { withoutAskTools } from './askTools'

function tool(phase: Tool['phase'], name = 'mcp__idea__idea_ask_agent'): { kind: 'tool'; tool: Tool } {
  return { kind: 'tool', tool: { callId: 'c', tool: name, summary: 'QA: …', phase, detail: '' } }
}

const ASKED = item(1, { kind: 'asked', ticketId: 'd1' })

function left(items: Parameters<typeof withoutAskTools>[0], state: 'answered' | 'failed' | undefined): number[] {
  return withoutAskTools(items, () => state).map((one) => one.seq)
}

it('leaves the call out where its card stands, answered or failed', () => {
  expect(left([ASKED, item(2, tool('ended')), item(3, tool('ended', 'Bash'))], 'answered')).toEqual([1, 3])
  expect(left([ASKED, item(2, tool('failed'))], 'failed')).toEqual([1])
})

it('keeps a call that was refused, for which there is no card', () => {
  expect(left([item(1, tool('failed'))], 'failed')).toEqual([1])
  expect(left([ASKED, item(2, tool('failed'))], 'answered')).toEqual([1, 2])
  expect(left([ASKED, item(2, tool('failed')), item(3, tool('failed'))], 'failed')).toEqual([1, 3])
})

it('keeps the call where the ask itself is no longer known', () => {
  expect(left([ASKED, item(2, tool('ended'))], undefined)).toEqual([2])
})
