/** What went wrong or should be known, where no better place shows it. Newest last. */

import { createStore } from 'zustand/vanilla'
import { uuid } from '../lib/uuid'
import { api } from '../wire/api'
import type { Failure } from '../wire/outcome'
import type { ServerNotice } from '../wire/shapes'

export interface Notice {
  id: string
  tone: 'danger' | 'warn'
  /** A sentence, or what the server posted: the page words it. */
  title: string | Posted
  /** A text, or a failed call that the page words. */
  detail: string | Failure
  /** Of the server's: which it is, so that it is not shown again once somebody has read it. */
  origin?: { projectId: string; number: number }
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
  post({ id: uuid(), tone, title, detail })
}

/** What the server posted, now or before this page was there. */
export function postServerNotice(projectId: string, { number, code, slug, detail }: ServerNotice): void {
  post({ id: uuid(), tone: 'warn', title: { code, slug }, detail, origin: { projectId, number } })
}

function post(notice: Notice): void {
  const saying = ({ title, detail }: Notice) => JSON.stringify([title, detail])
  const others = noticeStore.getState().filter((one) => saying(one) !== saying(notice))
  noticeStore.setState([...others, notice].slice(-MOST), true)
}

export function postFailure(title: string, failure: Failure): void {
  postNotice('danger', title, failure)
}

export function dismissNotice(id: string): void {
  const origin = noticeStore.getState().find((one) => one.id === id)?.origin
  // Without the server it is only shown once more by the next page.
  if (origin !== undefined) void api.dismissNotice(origin.projectId, origin.number)
  noticeStore.setState(
    noticeStore.getState().filter((one) => one.id !== id),
    true,
  )
}
