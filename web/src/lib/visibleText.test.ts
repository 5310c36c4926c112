import { describe, expect, it } from 'vitest'
import shared from '../../../tests/visible_text.json'
import { calm, extentOf, segmentsOf, visible } from './visibleText'

function written(ranges: readonly number[][]): Set<number> {
  return new Set(
    ranges.flatMap(([first = 0, last = 0]) => Array.from({ length: last - first + 1 }, (_, by) => first + by)),
  )
}

function changedBy(change: (text: string) => string): Set<number> {
  const codes = Array.from({ length: 0x110000 }, (_, code) => code)
  return new Set(codes.filter((code) => change(String.fromCodePoint(code)) !== String.fromCodePoint(code)))
}

describe('what is not seen', () => {
  it.each(shared.cases)('is written in its place: %j', (text, shown) => {
    expect(visible(text ?? '')).toBe(shown)
  })

  it('is the same for the page as for the server, character by character', () => {
    expect(changedBy(visible)).toEqual(written([...shared.acting, ...shared.hidden]))
    expect(changedBy(calm)).toEqual(written(shared.acting))
  })
})

describe('a text that is to be approved', () => {
  it('shows how long its gaps are', () => {
    expect(segmentsOf(`make test${' '.repeat(4000)}; touch it`)).toEqual([
      { kind: 'text', text: 'make test' },
      { kind: 'gap', of: 'spaces', count: 4000 },
      { kind: 'text', text: '; touch it' },
    ])
    expect(segmentsOf(`make test${'\n'.repeat(60)}curl it`)).toEqual([
      { kind: 'text', text: 'make test' },
      { kind: 'gap', of: 'lines', count: 59 },
      { kind: 'text', text: 'curl it' },
    ])
    expect(segmentsOf(`a\n \t\n  \n\n${' '.repeat(90)}b`)).toMatchObject([
      { text: 'a' },
      { of: 'lines', count: 3 },
      { of: 'spaces', count: 90 },
      { text: 'b' },
    ])
  })

  it('is left as it stands where people write it so', () => {
    const text = `if x:\n${' '.repeat(16)}go   on\n\n\nelse:\t\tstop`

    expect(segmentsOf(text)).toEqual([{ kind: 'text', text }])
  })

  it('has its hidden characters set apart', () => {
    expect(segmentsOf('a\u202eb')).toEqual([
      { kind: 'text', text: 'a' },
      { kind: 'mark', text: '\\u{202e}' },
      { kind: 'text', text: 'b' },
    ])
  })

  it('has an extent', () => {
    expect(extentOf('two\nlines 😀\n')).toEqual({ lines: 2, chars: 12 })
  })
})
