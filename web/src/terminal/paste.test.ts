import { describe, expect, it } from 'vitest'
import { actsAtOnce, isTooLong, MOST_PASTE_BYTES, typedPaste } from './paste'

describe('a paste', () => {
  it('is one piece for a program that takes it as one', () => {
    expect(typedPaste('one\ntwo', true)).toBe('\x1b[200~one\rtwo\x1b[201~')
    expect(typedPaste('one\ntwo', false)).toBe('one\rtwo')
  })

  it.each([
    ['one\ntwo', false, true],
    ['one\ntwo', true, false],
    ['one\n', false, false],
    ['one', false, false],
  ])('%j with brackets %j acts at once: %j', (text, isBracketed, acts) =>
    expect(actsAtOnce(text, isBracketed)).toBe(acts),
  )

  it('is whole or not at all', () => {
    expect(isTooLong('é'.repeat(30_000))).toBe(false)
    expect(isTooLong('é'.repeat(MOST_PASTE_BYTES / 2 + 1))).toBe(true)
  })
})
