/** The socket of one terminal: bytes and frames in, keys and acknowledgements out; reopens itself until closed. */

import { backoffMs } from '../lib/backoff'
import { doubt, whenDoubted } from './doubt'
import { parseTerminalFrame } from './frames'
import { HeldKeys } from './heldKeys'
import { GAVE_UP, PING } from './link'
import { Pulse } from './Pulse'
import type { TerminalServerFrame } from './shapes'
import { socketUrl } from './socketUrl'

export interface TerminalSize {
  cols: number
  rows: number
}

/** `silent`: nobody answers any more, and what was typed since is not carried out, now or later. */
export type TerminalPhase = 'connecting' | 'attached' | 'lost' | 'silent' | 'ended' | 'refused'

/** What concerns more than the connection. */
export type TerminalFrame = Exclude<TerminalServerFrame, { type: 'pong' }>

export interface TerminalListener {
  onPhase(phase: TerminalPhase): void
  onFrame(frame: TerminalFrame): void
  onBytes(bytes: Uint8Array): void
}

export interface TerminalLinkOptions {
  projectId: string
  agentId: string
  credential: string
  /** Asked at each (re)connection: the size may have changed meanwhile. */
  size: () => TerminalSize
  /** Asked as well: what is above the screen is to come with it, and not when it is asked for. */
  isWhole: () => boolean
  listener: TerminalListener
  openSocket?: (url: string) => WebSocket
  now?: () => number
}

/** What a terminal needs of its socket. */
export interface TerminalWire {
  open(): void
  /**
   * Kept until the terminal is attached for the first time, and while the server is slow to answer to earlier ones. After a
   * loss they are not taken until it is back.
   */
  sendKeys(bytes: Uint8Array<ArrayBuffer>): void
  sendResize(size: TerminalSize): void
  sendAck(bytes: number): void
  /** For a picture with what is above the screen. */
  askScrollback(): void
  close(): void
}

const REFUSED_CODES = [4400, 4401, 4403]
const PATIENCE_MS = 10_000
/** For the first frame of a server that is there. */

export class TerminalLink implements TerminalWire {
  readonly #options: Required<TerminalLinkOptions>
  #socket: WebSocket | null = null
  #retry: ReturnType<typeof setTimeout> | undefined
  #attempt = 0
  #isClosed = false
  #isAttached = false
  /** Null where none are held. What is typed at an old screen was not meant for the next one: a loss ends it. */
  #held: HeldKeys | null = new HeldKeys()
  #patience: ReturnType<typeof setTimeout> | undefined
  readonly #pulse: Pulse
  readonly #stopDoubting = whenDoubted(() => this.#isAttached && this.#pulse.ask())

  constructor(options: TerminalLinkOptions) {
    this.#options = { openSocket: (url) => new WebSocket(url), now: Date.now, ...options }
    this.#pulse = new Pulse({
      ask: () => {
        this.#socket?.send(PING)
        doubt()
      },
      onSilence: () => this.#giveUp(),
      now: this.#options.now,
    })
  }

  open(): void {
    if (this.#isClosed || this.#socket !== null) return
    clearTimeout(this.#retry)
    const { projectId, agentId, credential, size, isWhole, listener, openSocket } = this.#options
    const socket = openSocket(socketUrl(`/api/projects/${projectId}/agents/${agentId}/terminal`))
    socket.binaryType = 'arraybuffer'
    this.#socket = socket
    this.#patience = setTimeout(() => this.#giveUp(), PATIENCE_MS)
    socket.onopen = () => socket.send(JSON.stringify({ type: 'hello', credential, isWhole: isWhole(), ...size() }))
    socket.onmessage = ({ data }) => {
      if (socket !== this.#socket) return
      this.#pulse.heard()
      if (this.#isAttached) this.#release(socket)
      if (data instanceof ArrayBuffer) return listener.onBytes(new Uint8Array(data))
      const frame = parseTerminalFrame(String(data))
      if (frame === null || frame.type === 'pong') return
      if (frame.type === 'reset') {
        this.#attempt = 0
        this.#attached(socket)
        listener.onPhase('attached')
      }
      listener.onFrame(frame)
      if (frame.type === 'ended') {
        this.#isClosed = true
        listener.onPhase('ended')
      }
    }
    socket.onclose = ({ code }) => this.#lose(socket, code)
  }

  sendKeys(bytes: Uint8Array<ArrayBuffer>): void {
    if (!this.#isAttached) return this.#held?.add(bytes)
    if (this.#pulse.isDoubtful) {
      // Not behind the others in a buffer that a server may read much later: from here they can be taken back.
      this.#held ??= new HeldKeys()
      return this.#held.add(bytes)
    }
    this.#socket?.send(bytes)
    this.#pulse.expect()
  }

  sendResize(size: TerminalSize): void {
    if (this.#isOpen()) this.#socket?.send(JSON.stringify({ type: 'resize', ...size }))
  }

  /** `bytes`: how many were parsed in all since the last reset. */
  sendAck(bytes: number): void {
    if (this.#isOpen()) this.#socket?.send(JSON.stringify({ type: 'ack', bytes }))
  }

  askScrollback(): void {
    if (this.#isOpen()) this.#socket?.send(JSON.stringify({ type: 'scrollback' }))
  }

  close(): void {
    this.#isClosed = true
    this.#isAttached = false
    this.#held = null
    clearTimeout(this.#retry)
    this.#rest()
    this.#stopDoubting()
    this.#socket?.close()
    this.#socket = null
  }

  #attached(socket: WebSocket): void {
    clearTimeout(this.#patience)
    this.#isAttached = true
    this.#release(socket)
  }

  #release(socket: WebSocket): void {
    if (this.#held === null) return
    for (const keys of this.#held.all()) socket.send(keys)
    this.#held = null
    this.#pulse.expect()
  }

  #isOpen(): boolean {
    return this.#socket?.readyState === WebSocket.OPEN
  }

  #rest(): void {
    clearTimeout(this.#patience)
    this.#pulse.heard()
  }

  #giveUp(): void {
    const socket = this.#socket
    if (socket === null) return
    socket.close(GAVE_UP)
    this.#lose(socket, GAVE_UP)
  }

  #lose(socket: WebSocket, code: number): void {
    if (socket !== this.#socket) return
    this.#socket = null
    this.#isAttached = false
    this.#held = null
    this.#rest()
    if (this.#isClosed) return
    if (REFUSED_CODES.includes(code)) {
      this.#isClosed = true
      return this.#options.listener.onPhase('refused')
    }
    this.#options.listener.onPhase(code === GAVE_UP ? 'silent' : 'lost')
    this.#retry = setTimeout(() => this.open(), backoffMs(this.#attempt))
    this.#attempt += 1
  }
}
