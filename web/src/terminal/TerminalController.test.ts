// @vitest-environment jsdom
import '../testing/drawnNothing'
import '../testing/noNodeBuffer'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { TerminalLinkOptions, TerminalWire } from '../wire/terminalLink'
import type { Fit } from './Fitting'
import { TerminalController } from './TerminalController'

/** The server's side of the socket. */
class FakeWire implements TerminalWire {
  readonly keys: string[] = []
  readonly acks: number[] = []
  isOpen = false
  asked = 0

  constructor(readonly options: TerminalLinkOptions) {}

  open(): void {
    this.isOpen = true
  }
  sendKeys(bytes: Uint8Array): void {
    this.keys.push(new TextDecoder().decode(bytes))
  }
  sendResize(): void {}
  askScrollback(): void {
    this.asked += 1
  }
  sendAck(bytes: number): void {
    this.acks.push(bytes)
  }
  close(): void {
    this.isOpen = false
  }

  reset(isWhole = true): void {
    this.options.listener.onFrame({ type: 'reset', cols: 40, rows: 10, isWhole })
  }
  print(text: string): void {
    this.options.listener.onBytes(new TextEncoder().encode(text))
  }
}

/** xterm.js parses in slices of time; a busy machine gives few of them. */
const within = (claim: () => void) => vi.waitFor(claim, 5000)

describe('a terminal', () => {
  let host: HTMLElement
  let wire: FakeWire
  let controller: TerminalController
  let fits: Fit[]
  let zooms: string[]

  beforeEach(() => {
    fits = []
    zooms = []
    host = document.createElement('div')
    document.body.append(host)
    controller = new TerminalController({
      element: host,
      projectId: 'p',
      agentId: 'qa',
      credential: 'k',
      label: 'Terminal of QA',
      fontSize: 12,
      onPhase: () => {},
      onZoom: (zoom) => zooms.push(zoom),
      onFit: (fit) => fits.push(fit),
      openLink: (options) => {
        wire = new FakeWire(options)
        return wire
      },
    })
  })
  afterEach(() => {
    controller.close()
    host.remove()
  })

  const keyboard = () => host.querySelector('textarea') ?? document.createElement('textarea')
  const type = (key: string, keyCode: number) =>
    keyboard().dispatchEvent(new KeyboardEvent('keydown', { key, keyCode, bubbles: true }))

  it('opens its link and names its keyboard', () => {
    expect(wire.isOpen).toBe(true)
    expect(keyboard().getAttribute('aria-label')).toBe('Terminal of QA')
  })

  it('acknowledges what it has parsed, from the last reset on', async () => {
    wire.reset()
    wire.print('12345')
    await within(() => expect(wire.acks).toEqual([5]))

    wire.print('678')
    await within(() => expect(wire.acks).toEqual([5, 8]))

    wire.reset()
    wire.print('ab')
    await within(() => expect(wire.acks).toEqual([5, 8, 2]))
  })

  it('acknowledges a flood before it is over', async () => {
    wire.reset()
    for (let count = 0; count < 3; count += 1) wire.print('x'.repeat(100_000))

    await within(() => expect(wire.acks.at(-1)).toBe(300_000))
    expect(wire.acks.length).toBeGreaterThan(1)
  })

  it('types keys, and keeps answers to queries for the server’s own terminal', async () => {
    wire.reset()
    wire.print('\x1b[c\x1b[6n\x1b[?1004h')
    await within(() => expect(wire.acks.length).toBe(1))

    keyboard().dispatchEvent(new FocusEvent('focus'))
    type('Enter', 13)

    expect(wire.keys).toEqual(['\r'])
  })

  it('takes no keys once the program has ended', async () => {
    wire.reset()
    wire.options.listener.onFrame({ type: 'ended', exitCode: 0, signal: null })

    type('Enter', 13)

    expect(wire.keys).toEqual([])
  })

  it('asks for what is above the screen once, when the screen is shown', async () => {
    wire.reset(false)
    wire.print('the screen')
    await within(() => expect(wire.asked).toBe(1))

    wire.reset(true)
    wire.print('all of it')
    await within(() => expect(wire.acks.at(-1)).toBe(9))

    expect(wire.asked).toBe(1)
  })

  it('asks at once when a person turns to it', () => {
    wire.reset(false)

    host.dispatchEvent(new WheelEvent('wheel', { deltaY: -100 }))

    expect(wire.asked).toBe(1)
  })

  it('closes its link, and takes late bytes without harm', () => {
    wire.reset()
    wire.print('late')
    controller.close()

    expect(wire.isOpen).toBe(false)
    expect(host.querySelector('textarea')).toBeNull()
  })

  const paste = (text: string) => {
    const event = new Event('paste', { bubbles: true, cancelable: true })
    keyboard().dispatchEvent(Object.assign(event, { clipboardData: { getData: () => text } }))
  }
  const shown = async (output: string) => {
    wire.reset()
    wire.print(output)
    await within(() => expect(wire.acks.length).toBeGreaterThan(0))
  }

  it('types a paste as one piece, without what could leave its brackets', async () => {
    await shown('\x1b[?2004h')

    paste('one\r\n\ttwo\x1b[201~\x03')

    expect(wire.keys).toEqual(['\x1b[200~one\r\ttwo[201~\x1b[201~'])
  })

  it('asks before it types lines that act at once', async () => {
    await shown('$ ')

    paste('one\ntwo')
    expect(wire.keys).toEqual([])
    expect(controller.face.getState().paste).toBe('one\ntwo')
    controller.hands.confirmPaste()

    expect(wire.keys).toEqual(['one\rtwo'])
    expect(controller.face.getState().paste).toBeNull()
  })

  it('refuses a paste that is too long as a whole, and tells when nothing was read', async () => {
    await shown('$ ')
    paste('x'.repeat(600_000))
    expect(wire.keys).toEqual([])
    expect(controller.face.getState().refusal).toBe('tooLong')

    wire.options.listener.onFrame({ type: 'inputRefused' })
    expect(controller.face.getState().refusal).toBe('notRead')
  })

  it('offers what a program puts in the clipboard, rings, and tells a page of neither twice', async () => {
    await shown(`\x1b]52;c;${btoa('hello')}\x07\x07`)
    expect(controller.face.getState()).toMatchObject({ offer: { kind: 'text', text: 'hello' }, hasRung: true })

    controller.hands.dropOffer()
    type('a', 65)
    expect(controller.face.getState()).toMatchObject({ offer: null, hasRung: false })
  })

  it('keeps keys of its own for searching, zooming and choosing', async () => {
    await shown('$ ')
    const press = (init: KeyboardEventInit) =>
      keyboard().dispatchEvent(new KeyboardEvent('keydown', { bubbles: true, ctrlKey: true, ...init }))

    press({ key: 'f', code: 'KeyF', keyCode: 70 })
    press({ key: '-', code: 'Minus', keyCode: 189 })
    press({ key: ' ', code: 'Space', keyCode: 32, shiftKey: true })

    expect(controller.face.getState()).toMatchObject({ isSearched: true, isMarking: true })
    expect(zooms).toEqual(['out'])
    press({ key: 'Escape', code: 'Escape', keyCode: 27, ctrlKey: false })
    expect(controller.face.getState().isMarking).toBe(false)
    expect(wire.keys).toEqual([])
  })

  it('says when another browser sets its size, larger or smaller than what has room here', async () => {
    wire.options.listener.onFrame({ type: 'reset', cols: 200, rows: 24, isWhole: true })
    wire.options.listener.onFrame({ type: 'reset', cols: 80, rows: 24, isWhole: true })
    wire.options.listener.onFrame({ type: 'reset', cols: 80, rows: 8, isWhole: true })

    await within(() => expect(fits).toEqual(['tooLarge', 'fits', 'tooSmall']))
  })

  it('lays out the last screen for the room there is here', async () => {
    wire.options.listener.onFrame({ type: 'reset', cols: 200, rows: 50, isWhole: true })
    wire.options.listener.onFrame({ type: 'ended', exitCode: 1, signal: null })

    await within(() => expect(fits).toEqual(['tooLarge', 'fits']))
  })
})
