import { describe, expect, it } from 'vitest'
import { en } from './en'
import { fr } from './fr'
import { age, countdown, elapsed, settledLocale } from './words'

function keysOf(words: object, prefix = ''): string[] {
  return Object.entries(words).flatMap(([key, value]) =>
    typeof value === 'object' && value !== null ? keysOf(value, `${prefix}${key}.`) : [`${prefix}${key}`],
  )
}

describe('the catalogues', () => {
  it('have the same keys in both languages', () => {
    expect(keysOf(fr)).toEqual(keysOf(en))
  })

  it('say who talks to an agent exactly so', () => {
    expect(fr.overlay.title).toBe('un agent est en train de lui parler')
    expect(en.overlay.title).toBe('an agent is talking to it')
    expect(fr.state.limitUntil('16:40')).toBe('limite jusqu’à 16:40')
  })
})

describe('the language', () => {
  it.each([
    ['fr', 'en', ['en'], 'fr'],
    [null, 'fr', ['en'], 'fr'],
    [null, 'auto', ['de-DE', 'fr-CA', 'en'], 'fr'],
    [null, undefined, ['de'], 'en'],
  ] as const)(
    'is the person’s, the project’s, the browser’s: %s %s %o → %s',
    (chosen, ofProject, languages, expected) => {
      expect(settledLocale(chosen, ofProject, languages)).toBe(expected)
    },
  )
})

describe('times', () => {
  it('take the largest unit that fits', () => {
    expect([40, 360, 7200, 200_000].map((seconds) => age(seconds * 1000, en))).toEqual(['40 s', '6 min', '2 h', '2 d'])
    expect(elapsed(72_000, en)).toBe('1 min 12')
  })

  it('count down to zero and no further', () => {
    expect(countdown(408_000)).toBe('6:48')
    expect(countdown(8_988_000)).toBe('2:29:48')
    expect(countdown(-5)).toBe('0:00')
  })
})
