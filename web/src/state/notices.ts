/** What went wrong or should be known, where no better place shows it. Newest last. */

import { createStore } from 'zustand/vanilla'
import { uuid } from '../lib/uuid'
import type { Failure } from '../wire/outcome'

export interface Notice {
  id: string
  tone: 'danger' | 'warn'
  title: string
  detail: string
}

export const noticeStore = createStore<readonly Notice[]>(() => [])

const MOST = 5
/** Older ones make room: a fault that repeats must not fill the screen. */

export function postNotice(tone: Notice['tone'], title: string, detail: string): void {
  const others = noticeStore.getState().filter((one) => one.title !== title || one.detail !== detail)
  noticeStore.setState([...others, { id: uuid(), tone, title, detail }].slice(-MOST), true)
}

export function postFailure(title: string, failure: Failure): void {
  postNotice('danger', title, [failure.message, failure.advice].filter(Boolean).join(' '))
}

export function dismissNotice(id: string): void {
  noticeStore.setState(
    noticeStore.getState().filter((one) => one.id !== id),
    true,
  )
}
