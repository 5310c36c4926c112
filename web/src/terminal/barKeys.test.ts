import { expect, it } from 'vitest'
import { sequenceOf, withCtrl } from './barKeys'

it.each([
  ['escape', false, false, '\x1b'],
  ['tab', false, false, '\t'],
  ['enter', false, false, '\r'],
  ['up', false, false, '\x1b[A'],
  ['left', false, true, '\x1bOD'],
  ['right', true, true, '\x1b[1;5C'],
] as const)('%s, with Ctrl %j, for an application %j, is %j', (key, isCtrl, isApplication, sequence) =>
  expect(sequenceOf(key, { isCtrl, isApplication })).toBe(sequence),
)

it.each([
  ['c', '\x03'],
  ['C', '\x03'],
  ['[', '\x1b'],
  [' ', '\x00'],
  ['?', '\x7f'],
  ['1', '1'],
  ['é', 'é'],
  ['word', 'word'],
])('Ctrl and %s is %j', (typed, sent) => expect(withCtrl(typed)).toBe(sent))
