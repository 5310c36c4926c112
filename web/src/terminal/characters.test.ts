// @vitest-environment jsdom
import '../testing/drawnNothing'
import '../testing/noNodeBuffer'
import { Terminal } from '@xterm/xterm'
import { expect, it } from 'vitest'
import { measureCharacters } from './characters'

it.each([
  ['a', 1],
  ['界', 2],
  ['e\u0301', 1],
  ['\u{1f469}\u200d\u{1f52c}', 2],
  ['\u{1f1eb}\u{1f1f7}', 2],
  ['\u{1fae0}', 2],
  ['\u0e2a\u0e49\u0e33', 2],
  ['a\u200bb', 2],
])('%s takes %d columns', async (text, columns) => {
  const terminal = new Terminal({ allowProposedApi: true })
  measureCharacters(terminal)

  await new Promise<void>((written) => terminal.write(text, written))

  expect(terminal.buffer.active.cursorX).toBe(columns)
})
