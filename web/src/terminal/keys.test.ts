// @vitest-environment jsdom
import { describe, expect, it } from 'vitest'
import { commandOf } from './keys'

const press = (keys: string) => {
  const parts = keys.split(' ')
  const key = parts.at(-1) ?? ''
  const code = key === 'Space' ? 'Space' : /^[a-z]$/i.test(key) ? `Key${key.toUpperCase()}` : key
  return new KeyboardEvent('keydown', {
    key,
    code,
    ctrlKey: parts.includes('Ctrl'),
    shiftKey: parts.includes('Shift'),
    metaKey: parts.includes('Cmd'),
    altKey: parts.includes('Alt'),
  })
}

describe('keys in a terminal', () => {
  it.each([
    ['Ctrl Shift c', 'copy'],
    ['Ctrl f', 'find'],
    ['Ctrl Shift f', 'find'],
    ['Ctrl Shift Space', 'mark'],
    ['Ctrl +', 'zoomIn'],
    ['Ctrl Shift +', 'zoomIn'],
    ['Ctrl =', 'zoomIn'],
    ['Ctrl -', 'zoomOut'],
    ['Ctrl 0', 'zoomUsual'],
    ['Ctrl c', null],
    ['Ctrl Shift v', null],
    ['f', null],
    ['Ctrl Alt f', null],
    ['Cmd f', null],
  ])('%s: %s', (keys, command) => {
    expect(commandOf(press(keys), { isMac: false, isFullScreen: false })).toBe(command)
  })

  it.each([
    ['Cmd f', 'find'],
    ['Cmd -', 'zoomOut'],
    ['Ctrl f', null],
    ['Ctrl -', null],
    ['Cmd c', null],
  ])('%s on a Mac: %s', (keys, command) => {
    expect(commandOf(press(keys), { isMac: true, isFullScreen: true })).toBe(command)
  })

  it('leaves Ctrl F to a program that has the whole screen', () => {
    const keyboard = { isMac: false, isFullScreen: true }
    expect(commandOf(press('Ctrl f'), keyboard)).toBeNull()
    expect(commandOf(press('Ctrl Shift f'), keyboard)).toBe('find')
  })
})
