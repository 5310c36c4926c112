import { describe, expect, it } from 'vitest'
import { piecesOf } from './pieces'

const PARAGRAPH = `${'a few words of prose '.repeat(20)}\n\n`

describe('a long text in pieces', () => {
  it('is whole, and each piece ends at an empty line', () => {
    const text = PARAGRAPH.repeat(200)
    const pieces = piecesOf(text)

    expect(pieces.length).toBeGreaterThan(3)
    expect(pieces.join('')).toBe(text)
    expect(pieces.every((piece) => piece.endsWith('\n\n'))).toBe(true)
  })

  it('is one piece while it is short', () => {
    expect(piecesOf(PARAGRAPH)).toEqual([PARAGRAPH])
  })

  it('keeps its pieces while it grows', () => {
    const pieces = piecesOf(PARAGRAPH.repeat(100))

    expect(piecesOf(PARAGRAPH.repeat(140)).slice(0, pieces.length - 1)).toEqual(pieces.slice(0, -1))
  })

  it('has an end to each piece even in a single line, and cuts no character', () => {
    const text = '😀'.repeat(50_001)
    const pieces = piecesOf(text)

    expect(pieces.join('')).toBe(text)
    expect(Math.max(...pieces.map((piece) => piece.length))).toBeLessThan(20_000)
    expect(pieces.every((piece) => /^(?:😀)+$/u.test(piece))).toBe(true)
  })

  it('does not cut code, and closes and opens again what is too long', () => {
    const code = `\`\`\`py\n${'x = 1\n\n'.repeat(4000)}\`\`\`\n`
    expect(piecesOf(`${PARAGRAPH}${code}\nafter`).some((piece) => piece.includes(code))).toBe(true)

    const pieces = piecesOf(`\`\`\`py\n${'x = 1\n'.repeat(40_000)}\`\`\`\nafter`)
    expect(pieces.length).toBeGreaterThan(1)
    expect(pieces.every((piece) => (piece.match(/^```/gm) ?? []).length % 2 === 0)).toBe(true)
    expect(pieces.slice(1).every((piece) => piece.startsWith('```py\n'))).toBe(true)
  })
})
