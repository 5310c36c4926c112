import type { ServerFrame, TerminalServerFrame } from '../wire/shapes'

/** As browsers number them; not every Node has a WebSocket to ask. */
const CONNECTING = 0
const OPEN = 1
const CLOSED = 3

/** A server's end of a socket: the test speaks for it. */
export class FakeSocket extends EventTarget {
  readonly sent: (string | Uint8Array)[] = []
  readyState: number = CONNECTING
  binaryType = 'blob'
  /** With which code the page closed it; null while it has not. */
  closedWith: number | null = null
  onopen: (() => void) | null = null
  onmessage: ((message: { data: string | ArrayBuffer }) => void) | null = null
  onclose: ((closed: { code: number }) => void) | null = null

  /** Refuses as a browser's socket does while it is not open yet. */
  send(data: string | Uint8Array): void {
    if (this.readyState === CONNECTING) throw new Error('the socket is not open yet')
    this.sent.push(data)
  }

  close(code?: number): void {
    this.closedWith = code ?? 1005
  }

  open(): void {
    this.readyState = OPEN
    this.onopen?.()
  }

  say(frame: ServerFrame | TerminalServerFrame): void {
    this.sayText(JSON.stringify(frame))
  }

  sayText(data: string): void {
    this.onmessage?.({ data })
  }

  drop(code = 1006): void {
    this.readyState = CLOSED
    this.onclose?.({ code })
  }
}
