import { expect, it } from 'vitest'
import { commandIn } from './commandIn'

it('takes what can be typed out of a sentence', () => {
  expect(commandIn('Install it with `npm install -g x` (needs Node 22).')).toBe('npm install -g x')
  expect(commandIn('It comes with IdeA.')).toBeNull()
})
