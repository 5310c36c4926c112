import { expect, it } from 'vitest'
import { MOST_OFFER_CHARS, offerOf } from './clipboardOffers'

const base64 = (text: string) => btoa(String.fromCharCode(...new TextEncoder().encode(text)))

it.each([
  [`c;${base64('hello 漢字 😀')}`, 'hello 漢字 😀'],
  [`;${base64('x')}`, 'x'],
  ['c;?', null],
  ['c;', null],
  ['c;!!!', null],
  ['c;A', null],
  ['c;/w==', null],
])('%.20s is %s', (content, text) => expect(offerOf(content)).toEqual(text === null ? null : { kind: 'text', text }))

it('is told of an offer that is too long to be looked at', () => {
  expect(offerOf(`c;${btoa('x'.repeat(MOST_OFFER_CHARS))}`)?.kind).toBe('text')
  expect(offerOf(`c;${btoa('x'.repeat(MOST_OFFER_CHARS + 1))}`)).toEqual({ kind: 'tooLong' })
  expect(offerOf(`c;${'A'.repeat(4 * 1024 * 1024)}`)).toEqual({ kind: 'tooLong' })
})
