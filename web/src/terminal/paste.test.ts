import { describe, expect, it } from 'vitest'
import { actsAtOnce, cleanPaste, isTooLong, MOST_PASTE_BYTES, typedPaste } from './paste'

describe('a paste', () => {
  it.each([
    ['one\r\ntwo\rthree\n', 'one\ntwo\nthree\n'],
    ['a\tb\x00\x07\x08c\x7f', 'a\tbc'],
    ['rm\x1b[201~\x1b[A\r\n', 'rm[201~[A\n'],
    ['\x9b201~é漢😀', '201~é漢😀'],
  ])('%j has nothing in it that acts as a key', (text, cleaned) => expect(cleanPaste(text)).toBe(cleaned))

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
