import { expect, it } from 'vitest'
import { calm } from '../lib/visibleText'
import { Undirected } from './Undirected'

const TEXT = 'a\u202eb\u2066漢─\u2069\u202a\u2028\u2070é\u202c'
const LEFT = 'ab漢─\u2028\u2070é'

it('takes out what turns the direction, wherever the pieces are cut', () => {
  const bytes = new TextEncoder().encode(TEXT)
  for (let size = 1; size <= bytes.byteLength; size += 1) {
    const undirected = new Undirected()
    const left: number[] = []
    for (let at = 0; at < bytes.byteLength; at += size) left.push(...undirected.take(bytes.subarray(at, at + size)))
    expect(new TextDecoder().decode(Uint8Array.from(left))).toBe(LEFT)
  }
})

it('takes out no more and no less than what is told to turn', () => {
  const codes = Array.from({ length: 0x1000 }, (_, by) => String.fromCodePoint(0x2000 + by))
  const isTaken = (text: string) => new Undirected().take(new TextEncoder().encode(text)).byteLength === 0

  expect(codes.filter(isTaken)).toEqual(codes.filter((text) => calm(text) !== text))
})

it('gives the very bytes where there is nothing to take out, and forgets what had begun', () => {
  const undirected = new Undirected()
  const plain = new TextEncoder().encode('plain ─')
  expect(undirected.take(plain)).toBe(plain)

  expect(undirected.take(Uint8Array.of(0x61, 0xe2, 0x80))).toEqual(Uint8Array.of(0x61))
  undirected.begin()
  expect(undirected.take(Uint8Array.of(0xae))).toEqual(Uint8Array.of(0xae))
})
