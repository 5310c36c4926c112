/** The events socket: keeps itself open, catches up after a loss, says where it stands. Knows no state of the page. */

import { backoffMs } from '../lib/backoff'
import { parseServerFrame } from './frames'
import type { ServerEvent, Snapshot } from './shapes'

const REFUSED = 4401
const PATIENCE_MS = 10_000
/** A server that accepts but says nothing is as good as lost after this long. */

export type LinkPhase =
  | { name: 'connecting' }
  | { name: 'online' }
  | { name: 'lost'; sinceMs: number; retryAtMs: number }
  | { name: 'refused' }
  | { name: 'closed' }

export interface LinkListener {
  onPhase(phase: LinkPhase): void
  onSnapshot(snapshot: Snapshot): void
  onEvent(event: ServerEvent): void
}

export interface LinkOptions {
  url: string
  credential: string
  listener: LinkListener
  openSocket?: (url: string) => WebSocket
  now?: () => number
}

export class Link {
  readonly #options: Required<LinkOptions>
  #socket: WebSocket | null = null
  #retry: ReturnType<typeof setTimeout> | undefined
  #patience: ReturnType<typeof setTimeout> | undefined
  #attempt = 0
  #lostSinceMs: number | null = null
  #isClosed = false
  #epoch: string | null = null
  #seq: number | null = null

  constructor(options: LinkOptions) {
    this.#options = { openSocket: (url) => new WebSocket(url), now: Date.now, ...options }
  }

  open(): void {
    if (this.#isClosed || this.#socket !== null) return
    clearTimeout(this.#retry)
    if (this.#lostSinceMs === null) this.#options.listener.onPhase({ name: 'connecting' })
    const socket = this.#options.openSocket(this.#options.url)
    this.#socket = socket
    this.#patience = setTimeout(() => this.#drop(socket), PATIENCE_MS)
    socket.onopen = () => {
      const { credential } = this.#options
      socket.send(JSON.stringify({ type: 'hello', credential, epoch: this.#epoch, seq: this.#seq }))
    }
    socket.onmessage = (message) => {
      if (socket === this.#socket && typeof message.data === 'string') this.#take(message.data)
    }
    socket.onclose = (closed) => this.#lose(socket, closed.code)
  }

  /** Tries at once instead of waiting for the planned retry. */
  retryNow(): void {
    this.#attempt = 0
    this.open()
  }

  /** Final. */
  close(): void {
    this.#isClosed = true
    clearTimeout(this.#retry)
    clearTimeout(this.#patience)
    this.#socket?.close()
    this.#socket = null
    this.#options.listener.onPhase({ name: 'closed' })
  }

  #take(text: string): void {
    const frame = parseServerFrame(text)
    if (frame === null) return
    switch (frame.type) {
      case 'snapshot':
        this.#epoch = frame.snapshot.epoch
        this.#seq = frame.snapshot.seq
        this.#options.listener.onSnapshot(frame.snapshot)
        return this.#online()
      case 'caughtUp':
        this.#epoch = frame.epoch
        return this.#online()
      case 'event':
        // Replayed events may overlap with what arrived before the loss.
        if (this.#seq !== null && frame.event.seq <= this.#seq) return
        this.#seq = frame.event.seq
        return this.#options.listener.onEvent(frame.event)
      default:
        return frame satisfies never
    }
  }

  #online(): void {
    clearTimeout(this.#patience)
    this.#attempt = 0
    this.#lostSinceMs = null
    this.#options.listener.onPhase({ name: 'online' })
  }

  #drop(socket: WebSocket): void {
    socket.close()
    this.#lose(socket, 1006)
  }

  #lose(socket: WebSocket, code: number): void {
    if (socket !== this.#socket) return
    this.#socket = null
    clearTimeout(this.#patience)
    if (this.#isClosed) return
    if (code === REFUSED) {
      this.#isClosed = true
      return this.#options.listener.onPhase({ name: 'refused' })
    }
    const now = this.#options.now()
    this.#lostSinceMs ??= now
    const waitMs = backoffMs(this.#attempt)
    this.#attempt += 1
    this.#retry = setTimeout(() => this.open(), waitMs)
    this.#options.listener.onPhase({ name: 'lost', sinceMs: this.#lostSinceMs, retryAtMs: now + waitMs })
  }
}
