// @vitest-environment jsdom
import { expect, it } from 'vitest'
import { ADDRESS } from './links'

it.each([
  ['see https://plain.test/a_(b)?q.', 'https://plain.test/a_(b)?q'],
  ['(https://plain.test/a)', 'https://plain.test/a'],
  ['[here](https://plain.test/a_(b)), and', 'https://plain.test/a_(b)'],
  ['https://plain.test/a?b=[1]&c, d', 'https://plain.test/a?b=[1]&c'],
  ['http://[::1]:8080/x;', 'http://[::1]:8080/x'],
  ['"https://plain.test/a"', 'https://plain.test/a'],
  ['**https://plain.test/a**', 'https://plain.test/a'],
  ['https://plain.test/a(b', 'https://plain.test/a'],
])('in %j the address is %j', (text, address) => expect(ADDRESS.exec(text)?.[0]).toBe(address))

it('is quick with what only begins like one', () => {
  expect(ADDRESS.exec(`https://${'('.repeat(20_000)}`)).toBeNull()
  expect(ADDRESS.exec(`https://${'a.'.repeat(20_000)}`)?.[0]).toHaveLength(8 + 39_999)
})
