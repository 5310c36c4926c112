/** What the person writes to each agent: what stands in the box, what is on its way, and why something came back. */

import { createStore } from 'zustand/vanilla'
import { debounce } from '../lib/debounce'
import { keepForTab, keptForTab } from '../lib/tabStorage'
import { uuid } from '../lib/uuid'
import type { Failure } from '../wire/outcome'
import { cancelTurn, type Message, sendMessage, typePrompt } from './turns'

export interface Writing {
  text: string
  /** Sent and not yet taken by the server, in this order. */
  sending: readonly Message[]
  failure: Failure | null
  /** Came back into the box, and may have been taken all the same: as long as it stands there, it is the same message. */
  unsure: Message | null
  /** What went into its terminal, oldest first: no conversation of ours has it. */
  typed: readonly string[]
  /** Why the last one did not. */
  notTyped: Failure | null
}

export const NOTHING: Writing = { text: '', sending: [], failure: null, unsure: null, typed: [], notTyped: null }

const KEY = 'idea.drafts'
const BETWEEN = '\n\n'
const MOST_TYPED = 50
const KEEP_MS = 300
/** A draft is written down when the person pauses: long ones are dear to keep. */

/** By agent id. It outlives the cell that something was written in, and a reload of the page. */
export const writingStore = createStore<ReadonlyMap<string, Writing>>(() => new Map())

export function writingTo(agentId: string): Writing {
  return writingStore.getState().get(agentId) ?? NOTHING
}

export function write(agentId: string, text: string): void {
  const { unsure } = writingTo(agentId)
  // Once it is gone from the box, the same words are another message.
  change(agentId, { text, unsure: unsure !== null && text.startsWith(unsure.text) ? unsure : null })
}

/** Empties the box at once, so that the next message can be written meanwhile. True when all of it was taken. */
export async function sendWritten(agentId: string): Promise<boolean> {
  const { text, sending, unsure } = writingTo(agentId)
  const message = text.trim()
  if (message === '') return false
  change(agentId, { text: '', sending: [...sending, ...messagesIn(message, unsure)], failure: null, unsure: null })
  // Whoever sends the one before goes on with this one: they arrive in the order they were written in.
  return sending.length === 0 && sendAll(agentId)
}

/** A message that its agent never got, as another one. False when it came back into the box. */
export async function sendAgain(agentId: string, text: string): Promise<boolean> {
  const { sending } = writingTo(agentId)
  change(agentId, { sending: [...sending, { id: uuid(), text }], failure: null })
  return sending.length > 0 || sendAll(agentId)
}

/** The person's own message leaves the queue and stands in the box again, above what was written since. */
export async function takeBack(agentId: string, turnId: string, whenFailed: string): Promise<void> {
  const message = await cancelTurn(agentId, turnId, whenFailed)
  if (message !== null) write(agentId, joined(message, writingTo(agentId).text))
}

/** One at a time: the next one would have to wait for the turn of this one. True when its turn has begun. */
export async function typeWritten(agentId: string): Promise<boolean> {
  const { text, sending } = writingTo(agentId)
  const message = text.trim()
  if (message === '' || sending.length > 0) return false
  change(agentId, { text: '', sending: [{ id: uuid(), text: message }], notTyped: null })
  const result = await typePrompt(agentId, message)
  if (!result.ok) {
    change(agentId, { text: wholeText(writingTo(agentId)), sending: [], notTyped: result.failure })
    return false
  }
  const { sending: waiting, typed } = writingTo(agentId)
  change(agentId, { sending: waiting.slice(1), typed: [...typed, message].slice(-MOST_TYPED) })
  // What was sent meanwhile from the chat, whose view the cell has by now.
  return sendAll(agentId)
}

/** The person has read why. */
export function forgetNotTyped(agentId: string): void {
  change(agentId, { notTyped: null })
}

async function sendAll(agentId: string): Promise<boolean> {
  for (;;) {
    const [message] = writingTo(agentId).sending
    if (message === undefined) return true
    const result = await sendMessage(agentId, message)
    if (!result.ok) {
      giveBack(agentId, result.failure)
      return false
    }
    change(agentId, { sending: writingTo(agentId).sending.slice(1) })
  }
}

/** What was not taken stands in the box again, above what was written since. */
function giveBack(agentId: string, failure: Failure): void {
  const writing = writingTo(agentId)
  change(agentId, { text: wholeText(writing), sending: [], failure, unsure: writing.sending[0] ?? null })
}

/** One, or two where what came back stands there as it was, with more below it. */
function messagesIn(text: string, unsure: Message | null): readonly Message[] {
  if (unsure?.text === text) return [unsure]
  if (unsure === null || !text.startsWith(unsure.text + BETWEEN)) return [{ id: uuid(), text }]
  return [unsure, { id: uuid(), text: text.slice(unsure.text.length).trim() }]
}

function wholeText({ sending, text }: Writing): string {
  return joined(...sending.map((message) => message.text), text)
}

function joined(...texts: readonly string[]): string {
  return texts.filter((one) => one !== '').join(BETWEEN)
}

function change(agentId: string, part: Partial<Writing>): void {
  writingStore.setState((all) => new Map(all).set(agentId, { ...(all.get(agentId) ?? NOTHING), ...part }), true)
  keepSoon()
}

// --- over a reload -------------------------------------------------------------------------------------------------

const keepSoon = debounce(keep, KEEP_MS)

function keep(): void {
  const drafts = [...writingStore.getState()].map(([id, writing]) => {
    return [id, { text: wholeText(writing), unsure: writing.sending[0] ?? writing.unsure }] as const
  })
  keepForTab(KEY, Object.fromEntries(drafts.filter(([, { text }]) => text !== '')))
}

/** Brings back what this tab had written; from then on nothing is lost with the page. */
export function keepDrafts(): void {
  for (const [agentId, kept] of Object.entries(keptForTab(KEY) ?? {})) {
    const { text, unsure }: { text?: unknown; unsure?: unknown } = { ...kept }
    if (typeof text === 'string') change(agentId, { text, unsure: messageOf(unsure) })
  }
  window.addEventListener('pagehide', () => keepSoon.flush())
}

function messageOf(value: unknown): Message | null {
  if (typeof value !== 'object' || value === null) return null
  const { id, text }: { id?: unknown; text?: unknown } = { ...value }
  return typeof id === 'string' && typeof text === 'string' ? { id, text } : null
}
