/** What went wrong or should be known, where no better place shows it. Newest last. */

import { createStore } from 'zustand/vanilla'
import { uuid } from '../lib/uuid'
import type { Failure } from '../wire/outcome'

export interface Notice {
  id: string
  tone: 'danger' | 'warn'
  /** A sentence, or what the server posted: the page words it. */
  title: string | Posted
  /** A text, or a failed call that the page words. */
  detail: string | Failure
}

export interface Posted {
  code: string
  /** The agent that it is about. */
  slug: string | null
}

export const noticeStore = createStore<readonly Notice[]>(() => [])

const MOST = 5
/** Older ones make room: a fault that repeats must not fill the screen. */

export function postNotice(tone: Notice['tone'], title: Notice['title'], detail: Notice['detail']): void {
  const said = JSON.stringify([title, detail])
  const isSame = (one: Notice) => JSON.stringify([one.title, one.detail]) === said
  const others = noticeStore.getState().filter((one) => !isSame(one))
  noticeStore.setState([...others, { id: uuid(), tone, title, detail }].slice(-MOST), true)
}

export function postFailure(title: string, failure: Failure): void {
  postNotice('danger', title, failure)
}

export function dismissNotice(id: string): void {
  noticeStore.setState(
    noticeStore.getState().filter((one) => one.id !== id),
    true,
  )
}
