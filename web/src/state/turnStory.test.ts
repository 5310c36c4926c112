import { expect, it } from 'vitest'
import { item, liveTurn, NOW } from '../testing/builders'
import { isFirstLine, type StoryPart, storyOf } from './turnStory'

const said = (text: string, afterMs: number) => ({ text, atMs: NOW + afterMs })
const PROMPT = item(1, { kind: 'prompt', author: 'human', atMs: NOW })
const ASKED = item(2, { kind: 'asked', ticketId: 'd1', atMs: NOW + 200 })

function told(parts: readonly StoryPart[]): string[] {
  return parts.map((part) => {
    if (part.kind === 'said') return part.said.map((one) => one.text).join('+')
    return part.kind === 'ask' ? part.ticketId : part.item.kind
  })
}

it('puts what was said before an ask above its card, and what came later below', () => {
  const turn = liveTurn({ announcements: [said('I ask', 100), said('Now QA', 150), said('Thanks', 900)] })

  expect(told(storyOf([PROMPT, ASKED], turn, []))).toEqual(['prompt', 'I ask+Now QA', 'asked', 'Thanks'])
})

it('shows an ask that the record does not know yet, in its place', () => {
  const turn = liveTurn({ announcements: [said('I ask', 100), said('Thanks', 900)] })
  const asks = [{ ticketId: 'd9', askedAtMs: NOW + 200 }]

  expect(told(storyOf([PROMPT], turn, asks))).toEqual(['prompt', 'I ask', 'd9', 'Thanks'])
})

it('keeps what was said while the prompt was on its way below the prompt', () => {
  const turn = liveTurn({ announcements: [said('Hello', -5)] })

  expect(told(storyOf([PROMPT], turn, []))).toEqual(['prompt', 'Hello'])
})

it('puts nothing of the running turn between earlier ones', () => {
  const earlier = [item(1, { turnId: 'before', atMs: NOW + 500 }), item(2, { kind: 'prompt', atMs: NOW + 600 })]
  const turn = liveTurn({ announcements: [said('Hello', 100)] })

  expect(told(storyOf(earlier, turn, []))).toEqual(['answer', 'prompt', 'Hello'])
  expect(told(storyOf(earlier, null, []))).toEqual(['answer', 'prompt'])
})

it('names the agent once, over its first line', () => {
  const parts = storyOf([PROMPT, ASKED], liveTurn({ announcements: [said('I ask', 100)] }), [])

  expect(parts.map((_, index) => isFirstLine(parts[index - 1], 't'))).toEqual([true, true, false])
})
