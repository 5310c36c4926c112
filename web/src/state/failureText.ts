/** A failed call in the person's language: what happened, why, what to do. */

import type { Failure } from '../wire/outcome'
import type { Words } from '../words/en'

/** A code that no catalogue knows, or one whose message is a sentence about this very case, speaks with the server's words. */
export function failureText(failure: Failure, words: Words): string {
  const { code, message, advice } = failure
  if (code === 'OFFLINE') return `${words.connection.offline} ${words.connection.offlineAdvice}`
  const what = outcomeText(code, words)
  const why = causeOf(failure)
  const sentence = what === null ? message : why === '' ? what : words.reasonWith(what, why)
  const todo = worded(words.failure.advice, code) ?? (what === null ? advice : '')
  return [closed(sentence), todo].filter(Boolean).join(' ')
}

/** How an ask or a call ended, in few words; null for a code that has none. */
export function outcomeText(code: string, words: Words): string | null {
  return worded(words.failure.what, code)
}

/** The end of what the CLI wrote to its error output; empty if there is none. */
export function tailOf({ fields }: Failure): string {
  return textOf(fields.tail).trim()
}

/** What the CLI itself said, or the name that was not found: no catalogue can know it. */
function causeOf({ code, fields }: Failure): string {
  if (code !== 'NOT_FOUND') return textOf(fields.reason)
  return fields.kind === 'agent' || fields.kind === 'profile' ? textOf(fields.name) : ''
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function worded(texts: Readonly<Record<string, string>>, code: string): string | null {
  return texts[code] ?? null
}

function closed(sentence: string): string {
  return /[.!?…]$/.test(sentence) || sentence === '' ? sentence : `${sentence}.`
}
