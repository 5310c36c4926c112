/** The socket of one terminal: bytes and frames in, keys and acknowledgements out; reopens itself until closed. */

import { backoffMs } from '../lib/backoff'
import { parseTerminalFrame } from './frames'
import { HeldKeys } from './heldKeys'
import type { TerminalServerFrame } from './shapes'
import { socketUrl } from './socketUrl'

export interface TerminalSize {
  cols: number
  rows: number
}

export type TerminalPhase = 'connecting' | 'attached' | 'lost' | 'ended' | 'refused'

export interface TerminalListener {
  onPhase(phase: TerminalPhase): void
  onFrame(frame: TerminalServerFrame): void
  onBytes(bytes: Uint8Array): void
}

export interface TerminalLinkOptions {
  projectId: string
  agentId: string
  credential: string
  /** Asked at each (re)connection: the size may have changed meanwhile. */
  size: () => TerminalSize
  listener: TerminalListener
  openSocket?: (url: string) => WebSocket
}

/** What a terminal needs of its socket. */
export interface TerminalWire {
  open(): void
  /** Kept until the terminal is attached for the first time. After a loss they are not taken until it is back. */
  sendKeys(bytes: Uint8Array<ArrayBuffer>): void
  sendResize(size: TerminalSize): void
  sendAck(bytes: number): void
  close(): void
}

const REFUSED_CODES = [4400, 4401, 4403]

export class TerminalLink implements TerminalWire {
  readonly #options: Required<TerminalLinkOptions>
  #socket: WebSocket | null = null
  #retry: ReturnType<typeof setTimeout> | undefined
  #attempt = 0
  #isClosed = false
  #isAttached = false
  /** Null once it was attached or lost: what is typed at an old screen was not meant for the next one. */
  #held: HeldKeys | null = new HeldKeys()

  constructor(options: TerminalLinkOptions) {
    this.#options = { openSocket: (url) => new WebSocket(url), ...options }
  }

  open(): void {
    if (this.#isClosed || this.#socket !== null) return
    clearTimeout(this.#retry)
    const { projectId, agentId, credential, size, listener, openSocket } = this.#options
    const socket = openSocket(socketUrl(`/api/projects/${projectId}/agents/${agentId}/terminal`))
    socket.binaryType = 'arraybuffer'
    this.#socket = socket
    socket.onopen = () => socket.send(JSON.stringify({ type: 'hello', credential, ...size() }))
    socket.onmessage = ({ data }) => {
      if (socket !== this.#socket) return
      if (data instanceof ArrayBuffer) return listener.onBytes(new Uint8Array(data))
      const frame = parseTerminalFrame(String(data))
      if (frame === null) return
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
    if (this.#isAttached) this.#socket?.send(bytes)
    else this.#held?.add(bytes)
  }

  sendResize(size: TerminalSize): void {
    if (this.#isOpen()) this.#socket?.send(JSON.stringify({ type: 'resize', ...size }))
  }

  /** `bytes`: how many were parsed in all since the last reset. */
  sendAck(bytes: number): void {
    if (this.#isOpen()) this.#socket?.send(JSON.stringify({ type: 'ack', bytes }))
  }

  close(): void {
    this.#isClosed = true
    this.#isAttached = false
    this.#held = null
    clearTimeout(this.#retry)
    this.#socket?.close()
    this.#socket = null
  }

  #attached(socket: WebSocket): void {
    this.#isAttached = true
    for (const keys of this.#held?.all() ?? []) socket.send(keys)
    this.#held = null
  }

  #isOpen(): boolean {
    return this.#socket?.readyState === WebSocket.OPEN
  }

  #lose(socket: WebSocket, code: number): void {
    if (socket !== this.#socket) return
    this.#socket = null
    this.#isAttached = false
    this.#held = null
    if (this.#isClosed) return
    if (REFUSED_CODES.includes(code)) {
      this.#isClosed = true
      return this.#options.listener.onPhase('refused')
    }
    this.#options.listener.onPhase('lost')
    this.#retry = setTimeout(() => this.open(), backoffMs(this.#attempt))
    this.#attempt += 1
  }
}
