/** A failed call or turn in the person's language: what happened, why, what to do. */

import { firstLine } from '../lib/firstLine'
import { calm } from '../lib/visibleText'
import type { Failure } from '../wire/outcome'
import type {
  BrokenAgent,
  CancelledBy,
  Delegation,
  Fault,
  Item,
  OutcomeCode,
  TrustItem,
  TrustNote,
  Why,
} from '../wire/shapes'
import type { Words } from '../words/en'
import type { Named, Say } from '../words/named'
import type { Locale } from '../words/words'
import { limitText } from './limitText'

/** The server's own sentence speaks only where it gave no reason that a catalogue knows. */
export function failureText(failure: Failure, words: Words): string {
  const { code, message, advice } = failure
  if (code === 'OFFLINE') return `${words.connection.offline} ${words.connection.offlineAdvice}`
  if (code === 'UNANSWERED') return `${words.connection.unanswered} ${words.connection.unansweredAdvice}`
  if (code === 'UNREADABLE') return words.failure.unreadable
  const what = outcomeText(code, words)
  const why = causeText(failure, words)
  const sentence = what === null ? why || message : why === '' ? what : words.reasonWith(what, why)
  const todo = todoText(failure, words) ?? (isKnown(code, words) ? '' : advice)
  return [closed(sentence), todo].filter(Boolean).join(' ')
}

function todoText({ code, fields }: Failure, words: Words): string | null {
  if (code === 'CLOSED' && fields.deleted === true) return words.failure.askAnother
  return worded(words.failure.advice, code)
}

/** How an ask or a call ended, in few words; null for a code that has none. */
export function outcomeText(code: string, words: Words): string | null {
  const texts = words.failure.what satisfies Record<OutcomeCode, string>
  return worded(texts, code) || null
}

/** What the few words of the outcome leave out; empty if nothing. */
export function causeText(failure: Failure, words: Words): string {
  const { code, fields } = failure
  const said = say(words.failure.why satisfies Record<Why, Say>, fields.why, fields, words)
  if (said !== '') return said
  switch (code) {
    case 'NOT_FOUND':
      return fields.kind === 'agent' || fields.kind === 'profile' ? textOf(fields.name) : ''
    case 'CLOSED':
      return fields.deleted === true ? words.failure.deleted : ''
    case 'TIMEOUT':
      return timeoutText(fields, words)
    case 'CANCELLED':
      return worded(words.failure.cancelledBy satisfies Record<CancelledBy, string>, textOf(fields.by)) ?? ''
    default:
      return firstLine(textOf(fields.reason))
  }
}

/** The end of what the CLI wrote to its error output, or all of a reason that is more than a line; empty if there is none. */
export function tailOf({ fields }: Failure): string {
  const reason = textOf(fields.reason).trim()
  return textOf(fields.tail).trim() || (reason.includes('\n') ? reason : '')
}

/** What became of a turn, as its record says it. */
export function failureOfItem({ outcome, text, fields }: Item): Failure {
  return { code: outcome ?? '', message: text, advice: '', fields }
}

/** Who ended it on purpose; null if nobody did. */
export function stopperOf({ code, fields }: Failure): CancelledBy | null {
  if (code === 'CLOSED') return 'close'
  if (code !== 'CANCELLED') return null
  switch (fields.by) {
    case 'user':
    case 'requester':
    case 'stop':
    case 'cli':
    case 'close':
      return fields.by
    default:
      return null
  }
}

function failureOfAsk({ outcome, explanation, fields }: Delegation): Failure {
  return { code: outcome ?? '', message: explanation ?? '', advice: '', fields }
}

/** Why an ask failed, beside the few words of its outcome; empty if there is no more to say. */
export function askEndText(ask: Delegation, words: Words, locale: Locale): string {
  const failure = failureOfAsk(ask)
  if (failure.code === 'TARGET_RATE_LIMITED' && ask.settledAtMs !== null) {
    const { untilMs } = failure.fields
    return limitText(typeof untilMs === 'number' ? untilMs : null, ask.settledAtMs, words, locale)
  }
  return causeText(failure, words) || (outcomeText(failure.code, words) === null ? failure.message : '')
}

/** One thing that a project brought along: quoted, or said of it. */
export function trustText({ note, fields, text }: TrustItem, words: Words): string {
  const said = say(words.trust.note satisfies Record<TrustNote, Say>, note, fields, words) || text
  const why = reasonText({ reason: '', fields }, words)
  return why === '' ? said : `${said}: ${why}`
}

/** Why a file is broken, or an agent that ran cannot go on; empty where nothing is in the way. */
export function reasonText({ reason, fields }: Pick<BrokenAgent, 'reason' | 'fields'>, words: Words): string {
  return say(words.failure.why, fields.why, fields, words) || calm(reason)
}

function say(texts: Readonly<Record<string, Say>>, key: unknown, fields: Failure['fields'], words: Words): string {
  const errnos: Readonly<Record<string, string>> = words.failure.errno
  const faults: Readonly<Record<string, Say>> = words.failure.fault satisfies Record<Fault, Say>
  const named: Named = (field) =>
    (field === 'detail' && errnos[textOf(fields.errno)]) ||
    (field === 'reason' && faults[textOf(fields.fault)]?.(named)) ||
    textOf(fields[field])
  return texts[textOf(key)]?.(named) ?? ''
}

function timeoutText(fields: Failure['fields'], words: Words): string {
  const seconds = textOf(fields.limitSeconds)
  const limit = fields.queued === true ? words.failure.busyAfter(seconds) : words.failure.after(seconds)
  const asked = textOf(fields.asked)
  const note = textOf(fields.note)
  return [
    seconds && limit,
    asked && words.failure.personAsked(textOf(fields.askedSeconds), asked),
    note && words.failure.cliSays(note),
  ]
    .filter(Boolean)
    .join(', ')
}

function isKnown(code: string, words: Words): boolean {
  return worded(words.failure.what, code) !== null
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? calm(value) : typeof value === 'number' ? String(value) : ''
}

function worded(texts: Readonly<Record<string, string>>, code: string): string | null {
  return texts[code] ?? null
}

function closed(sentence: string): string {
  return /[.!?…]$/.test(sentence) || sentence === '' ? sentence : `${sentence}.`
}
