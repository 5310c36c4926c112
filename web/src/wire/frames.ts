/** What arrives on the sockets, from text. What this page does not know, such as a newer server's frame, is null. */

import type { ServerFrame, TerminalServerFrame } from './shapes'

export function parseServerFrame(text: string): ServerFrame | null {
  const frame = parsed(text)
  return isServerFrame(frame) ? frame : null
}

export function parseTerminalFrame(text: string): TerminalServerFrame | null {
  const frame = parsed(text)
  return isTerminalFrame(frame) ? frame : null
}

type Fields = Readonly<Record<string, unknown>>

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** As deep as the link itself looks: the stores take by its `type` what an event says. */
function isServerFrame(frame: unknown): frame is ServerFrame {
  if (!isFields(frame)) return false
  const { type, snapshot, event, epoch } = frame
  if (type === 'snapshot') return isFields(snapshot) && isText(snapshot.epoch) && isCount(snapshot.seq)
  if (type === 'caughtUp') return isText(epoch)
  if (type === 'pong' || type === 'credentialsChanged') return true
  return type === 'event' && isFields(event) && isText(event.type) && isCount(event.seq)
}

function isTerminalFrame(frame: unknown): frame is TerminalServerFrame {
  if (!isFields(frame)) return false
  const { type, cols, rows } = frame
  if (type === 'ended' || type === 'inputRefused' || type === 'pong') return true
  return type === 'reset' && isSize(cols) && isSize(rows)
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

function isCount(value: unknown): value is number {
  return Number.isInteger(value)
}

function isSize(value: unknown): boolean {
  return isCount(value) && value > 0
}
