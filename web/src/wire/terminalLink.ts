/** The socket of one terminal: bytes and frames in, keys and acknowledgements out; reopens itself until closed. */

import { backoffMs } from '../lib/backoff'
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
}

/** What a terminal needs of its socket. */
export interface TerminalWire {
  open(): void
  sendKeys(bytes: Uint8Array<ArrayBuffer>): void
  sendResize(size: TerminalSize): void
  sendAck(bytes: number): void
  close(): void
}

const REFUSED_CODES = [4400, 4401, 4403]

export class TerminalLink implements TerminalWire {
  readonly #options: TerminalLinkOptions
  #socket: WebSocket | null = null
  #retry: ReturnType<typeof setTimeout> | undefined
  #attempt = 0
  #isClosed = false

  constructor(options: TerminalLinkOptions) {
    this.#options = options
  }

  open(): void {
    if (this.#isClosed || this.#socket !== null) return
    clearTimeout(this.#retry)
    const { projectId, agentId, credential, size, listener } = this.#options
    const socket = new WebSocket(socketUrl(`/api/projects/${projectId}/agents/${agentId}/terminal`))
    socket.binaryType = 'arraybuffer'
    this.#socket = socket
    socket.onopen = () => socket.send(JSON.stringify({ type: 'hello', credential, ...size() }))
    socket.onmessage = ({ data }) => {
      if (socket !== this.#socket) return
      if (data instanceof ArrayBuffer) return listener.onBytes(new Uint8Array(data))
      const frame = JSON.parse(String(data)) as TerminalServerFrame
      if (frame.type === 'reset') {
        this.#attempt = 0
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
    if (this.#isOpen()) this.#socket?.send(bytes)
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
    clearTimeout(this.#retry)
    this.#socket?.close()
    this.#socket = null
  }

  #isOpen(): boolean {
    return this.#socket?.readyState === WebSocket.OPEN
  }

  #lose(socket: WebSocket, code: number): void {
    if (socket !== this.#socket) return
    this.#socket = null
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
