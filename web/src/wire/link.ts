/** The events socket: keeps itself open, catches up after a loss, says where it stands. Knows no state of the page. */

import { backoffMs } from '../lib/backoff'
import { doubt, whenDoubted } from './doubt'
import { parseServerFrame } from './frames'
import { Pulse } from './Pulse'
import type { ServerEvent, Snapshot } from './shapes'

const REFUSED = 4401
const ENDED = 1012
const PATIENCE_MS = 10_000
/** A server that accepts but says nothing is as good as lost after this long. */
const BEAT_MS = 8000
/** So long may nothing be heard while somebody looks; then it is asked for. */
export const GAVE_UP = 4410
/** Closed with this, the server does not take late what it has not read. */
export const PING = JSON.stringify({ type: 'ping' })

/** It broke, its server ended it, or nothing was heard any more. */
export type LossReason = 'broken' | 'ended' | 'silent'

export type LinkPhase =
  | { name: 'connecting' }
  | { name: 'online' }
  | { name: 'lost'; why: LossReason; sinceMs: number; retryAtMs: number }
  | { name: 'refused' }
  | { name: 'closed' }

export interface LinkListener {
  onPhase(phase: LinkPhase): void
  onSnapshot(snapshot: Snapshot): void
  onEvent(event: ServerEvent): void
  /** A browser came in, or lost its key. */
  onCredentials(): void
}

export interface LinkOptions {
  url: string
  credential: string
  listener: LinkListener
  openSocket?: (url: string) => WebSocket
  /** A page that nobody sees asks nothing: it does when it is seen again. */
  isInSight?: () => boolean
  now?: () => number
}

export class Link {
  readonly #options: Required<LinkOptions>
  #socket: WebSocket | null = null
  #retry: ReturnType<typeof setTimeout> | undefined
  #patience: ReturnType<typeof setTimeout> | undefined
  #beat: ReturnType<typeof setTimeout> | undefined
  readonly #pulse: Pulse
  readonly #stopDoubting = whenDoubted(() => this.ask())
  #isOnline = false
  #heardAtMs: number | null = null
  #attempt = 0
  /** Of the present loss, however often it was tried since. */
  #loss: { why: LossReason; sinceMs: number } | null = null
  #isClosed = false
  #epoch: string | null = null
  #seq: number | null = null

  constructor(options: LinkOptions) {
    this.#options = { openSocket: (url) => new WebSocket(url), isInSight: () => true, now: Date.now, ...options }
    this.#pulse = new Pulse({
      ask: () => this.#socket?.send(PING),
      onSilence: () => {
        if (this.#socket !== null) this.#drop(this.#socket)
        doubt()
      },
      now: this.#options.now,
    })
  }

  open(): void {
    if (this.#isClosed || this.#socket !== null) return
    clearTimeout(this.#retry)
    if (this.#loss === null) this.#options.listener.onPhase({ name: 'connecting' })
    const socket = this.#options.openSocket(this.#options.url)
    this.#socket = socket
    this.#patience = setTimeout(() => this.#drop(socket), PATIENCE_MS)
    socket.onopen = () => {
      const { credential } = this.#options
      socket.send(JSON.stringify({ type: 'hello', credential, epoch: this.#epoch, seq: this.#seq }))
    }
    socket.onmessage = (message) => {
      if (socket !== this.#socket || typeof message.data !== 'string') return
      this.#pulse.heard()
      this.#heardAtMs = this.#options.now()
      if (this.#isOnline) this.#beatOn()
      this.#take(message.data)
    }
    socket.onclose = (closed) => this.#lose(socket, closed.code)
  }

  /** Tries at once instead of waiting for the planned retry. */
  retryNow(): void {
    this.#attempt = 0
    this.open()
  }

  /** Whether the server still answers; it is lost if it does not. */
  ask(): void {
    if (!this.#isOnline) return
    this.#pulse.ask()
  }

  /** Final. */
  close(): void {
    this.#isClosed = true
    this.#rest()
    this.#stopDoubting()
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
      case 'pong':
        return
      case 'credentialsChanged':
        return this.#options.listener.onCredentials()
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
    this.#isOnline = true
    this.#beatOn()
    this.#attempt = 0
    this.#loss = null
    this.#options.listener.onPhase({ name: 'online' })
  }

  #beatOn(): void {
    clearTimeout(this.#beat)
    if (this.#options.isInSight()) this.#beat = setTimeout(() => this.ask(), BEAT_MS)
  }

  #rest(): void {
    this.#isOnline = false
    clearTimeout(this.#beat)
    this.#pulse.heard()
  }

  #drop(socket: WebSocket): void {
    socket.close(GAVE_UP)
    this.#lose(socket, GAVE_UP)
  }

  #lose(socket: WebSocket, code: number): void {
    if (socket !== this.#socket) return
    this.#socket = null
    clearTimeout(this.#patience)
    this.#rest()
    if (this.#isClosed) return
    if (code === REFUSED) {
      this.#isClosed = true
      return this.#options.listener.onPhase({ name: 'refused' })
    }
    const now = this.#options.now()
    const why = code === GAVE_UP ? 'silent' : code === ENDED ? 'ended' : 'broken'
    this.#loss ??= { why, sinceMs: (why === 'silent' && this.#heardAtMs) || now }
    const waitMs = backoffMs(this.#attempt)
    this.#attempt += 1
    this.#retry = setTimeout(() => this.open(), waitMs)
    this.#options.listener.onPhase({ name: 'lost', ...this.#loss, retryAtMs: now + waitMs })
  }
}
