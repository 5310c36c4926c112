import { expect, it } from 'vitest'
import { plainText, shownText } from './plainText'

it.each([
  ['one\r\ntwo\rthree\n\tfour', 'one\ntwo\nthree\n\tfour', 'one\ntwo\nthree\n\tfour', 0],
  ['a\x1b[31mb\x00\x7f', 'a[31mb', 'a␛[31mb␀␡', 3],
  ['\x9b201~é漢😀', '201~é漢😀', '<9B>201~é漢😀', 1],
  ['ls \u202egpj.hs\u2069', 'ls gpj.hs', 'ls <202E>gpj.hs<2069>', 2],
])('%j acts nowhere and hides nothing', (text, plain, shown, dropped) => {
  expect(plainText(text)).toBe(plain)
  expect(shownText(text)).toEqual({ text: shown, dropped })
})
