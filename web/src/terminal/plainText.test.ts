import { expect, it } from 'vitest'
import { plainText, shownText } from './plainText'

it.each([
  ['one\r\ntwo\rthree\n\tfour', 'one\ntwo\nthree\n\tfour', 'one\ntwo\nthree\n\tfour', 0],
  ['a\x1b[31mb\x00\x7f', 'a[31mb', 'a\\u{1b}[31mb\\u{0}\\u{7f}', 3],
  ['\x9b201~é漢😀', '201~é漢😀', '\\u{9b}201~é漢😀', 1],
  ['git sta\u200btus', 'git sta\u200btus', 'git sta\\u{200b}tus', 0],
  ['ls \u202egpj.hs\u2069', 'ls gpj.hs', 'ls \\u{202e}gpj.hs\\u{2069}', 2],
])('%j acts nowhere and hides nothing', (text, plain, shown, dropped) => {
  expect(plainText(text)).toBe(plain)
  expect(shownText(text)).toEqual({ text: shown, dropped })
})
