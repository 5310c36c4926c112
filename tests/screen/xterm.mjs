// The page's emulator without a page, run in `web`: what it shows of the bytes that it is given. One job a line on
// stdin, a JSON array of steps: ["reset", cols, rows], ["write", base64] or ["show"]. One line for each on stdout: what
// was to be shown, and what the emulator would have typed.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { createInterface } from 'node:readline'

const require = createRequire(`${process.cwd()}/package.json`)
const { transpile, ModuleKind } = require('typescript')
const { Terminal } = require('@xterm/headless')
const { measureCharacters } = await pageModule('characters')
const { muteReplies } = await pageModule('muteReplies')

/** The page's own code, without its types. */
async function pageModule(name) {
  const source = transpile(readFileSync(`src/terminal/${name}.ts`, 'utf8'), { module: ModuleKind.CommonJS })
  const module = { exports: {} }
  // The graphemes addon takes a buffer of Node's for one of its own, and reads what lies before it (0.4.0).
  const { Buffer } = globalThis
  delete globalThis.Buffer
  new Function('require', 'module', 'exports', source)(require, module, module.exports)
  globalThis.Buffer = Buffer
  return module.exports
}

async function play(steps) {
  const terminal = new Terminal({ scrollback: 5000, allowProposedApi: true })
  measureCharacters(terminal)
  muteReplies(terminal.parser)
  const shown = []
  let typed = ''
  terminal.onData((data) => {
    typed += data
  })
  for (const [what, ...rest] of steps) {
    if (what === 'write') await new Promise((done) => terminal.write(Buffer.from(rest[0], 'base64'), done))
    if (what === 'show') shown.push(show(terminal))
    if (what === 'reset') {
      terminal.reset()
      terminal.resize(...rest)
    }
  }
  terminal.dispose()
  return { shown, typed }
}

function show(terminal) {
  const buffer = terminal.buffer.active
  const rows = []
  for (let row = 0; row < buffer.length; row += 1) rows.push(look(buffer.getLine(row), terminal.cols))
  while (rows.at(-1) === '') rows.pop()
  const { type, baseY, cursorX, cursorY } = buffer
  // A frame that is held back is a matter of a moment.
  const modes = { ...terminal.modes, synchronizedOutputMode: false }
  return { type, above: baseY, cursor: [cursorX, cursorY], modes, rows }
}

/** The row's characters, each with what is drawn of its look; without the blanks at its end. */
function look(line, cols) {
  const cells = []
  for (let column = 0; column < cols; column += 1) {
    const cell = line.getCell(column)
    if (cell.getWidth() > 0) cells.push(character(cell))
  }
  return cells.join('').trimEnd()
}

function character(cell) {
  const text = cell.getChars() || ' '
  const foreground = colour(cell.isFgRGB(), cell.getFgColor())
  const background = colour(cell.isBgRGB(), cell.getBgColor())
  const shape = [cell.isBold(), cell.isItalic(), cell.isDim()]
  const lines = [cell.isInverse(), cell.isUnderline(), cell.isStrikethrough(), cell.isOverline()]
  const isBare = text === ' ' && !lines.some(Boolean)
  const drawn = isBare ? [background] : [background, foreground, ...[...shape, ...lines].map((flag) => (flag ? 1 : 0))]
  return drawn.every((part) => part === 0 || part === -1) && foreground !== 0 ? text : `{${text} ${drawn}}`
}

/** The first colours of the palette can be asked for in two ways and look the same. */
function colour(isRgb, value) {
  return isRgb ? `#${value}` : value
}

for await (const line of createInterface({ input: process.stdin })) {
  process.stdout.write(`${JSON.stringify(await play(JSON.parse(line)))}\n`)
}
