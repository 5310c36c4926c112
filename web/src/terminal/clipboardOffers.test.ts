import { expect, it } from 'vitest'
import { textOf } from './clipboardOffers'

const base64 = (text: string) => btoa(String.fromCharCode(...new TextEncoder().encode(text)))

it.each([
  [`c;${base64('hello 漢字 😀')}`, 'hello 漢字 😀'],
  [`;${base64('x')}`, 'x'],
  ['c;?', null],
  ['c;', null],
  ['c;!!!', null],
  ['c;A', null],
  ['c;/w==', null],
  [`c;${'A'.repeat(2 * 1024 * 1024)}`, null],
])('%.20s is %s', (content, text) => expect(textOf(content)).toBe(text))
