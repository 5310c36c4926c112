import { describe, expect, it } from 'vitest'
import { snapshot } from '../testing/builders'
import { parseServerFrame, parseTerminalFrame } from './frames'

describe('a frame of the events socket', () => {
  it.each([
    { type: 'snapshot', snapshot: snapshot() },
    { type: 'caughtUp', epoch: 'e', seq: 3 },
    { type: 'event', event: { type: 'noticeDismissed', seq: 4, projectId: 'p', number: 1 } },
  ])('is taken as it is: $type', (frame) => {
    expect(parseServerFrame(JSON.stringify(frame))).toEqual(frame)
  })

  it.each(['', '{', 'null', '7', '{"type":"later"}', '{"type":"snapshot"}', '{"type":"event","event":{"seq":"4"}}'])(
    'is nothing that is not understood: %s',
    (text) => expect(parseServerFrame(text)).toBeNull(),
  )
})

describe('a frame of a terminal', () => {
  it.each([
    { type: 'reset', cols: 80, rows: 24 },
    { type: 'inputRefused' },
    { type: 'ended', exitCode: null, signal: 9 },
  ])('is taken as it is: $type', (frame) => {
    expect(parseTerminalFrame(JSON.stringify(frame))).toEqual(frame)
  })

  it.each(['', '{"type":"reset"}', '{"type":"reset","cols":0,"rows":24}', '{"type":"reset","cols":"80","rows":24}'])(
    'is nothing that is not understood: %s',
    (text) => expect(parseTerminalFrame(text)).toBeNull(),
  )
})
