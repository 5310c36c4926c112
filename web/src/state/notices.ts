/** What went wrong or should be known, where no better place shows it. Newest last. */

import { createStore } from 'zustand/vanilla'
import { uuid } from '../lib/uuid'
import { api } from '../wire/api'
import type { Failure } from '../wire/outcome'
import type { Project, ServerNotice, Snapshot } from '../wire/shapes'

export interface Notice {
  id: string
  tone: 'danger' | 'warn'
  /** A sentence, or what the server posted: the page words it. */
  title: string | Posted
  /** A text, or a failure that the page words. */
  detail: string | Failure
  /** Of the server's: which it is, so that it is not shown again once somebody has read it. */
  origin?: Origin
}

export interface Posted {
  code: string
  /** The agent's slug or the project's path that it is about. */
  about: string
  /** The agents that it is about, by id, where it is about several things that ended alike. */
  agentIds: readonly string[]
}

interface Origin {
  projectId: string
  /** 0: of a project that was not open, and so keeps nothing. */
  number: number
}

export const noticeStore = createStore<readonly Notice[]>(() => [])

const MOST = 50
/** Older ones make room: nobody reads so many. */

export function postNotice(tone: Notice['tone'], title: Notice['title'], detail: Notice['detail']): void {
  post({ id: uuid(), tone, title, detail })
}

/** What the server posted, now or before this page was there. */
export function postServerNotice(projectId: string, { number, code, slug, detail, fields }: ServerNotice): void {
  const text = (value: unknown) => (typeof value === 'string' ? value : '')
  const isWorded = Object.keys(fields).length > 0
  post({
    id: uuid(),
    tone: 'warn',
    title: { code, about: slug ?? text(fields.project), agentIds: textsOf(fields.agents) },
    detail: isWorded ? { code: text(fields.code), message: detail, advice: '', fields } : detail,
    origin: { projectId, number },
  })
}

function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : []
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
  if (origin !== undefined && origin.number > 0) void api.dismissNotice(origin.projectId, origin.number)
  keepOnly((one) => one.id !== id)
}

/** Another page dismissed it. */
export function dropNotice(projectId: string, number: number): void {
  keepOnly(({ origin }) => origin?.projectId !== projectId || origin.number !== number)
}

/** The project's notices as the server has them now: those that somebody dismissed meanwhile go. */
export function takeNotices({ id, notices }: Pick<Project, 'id' | 'notices'>): void {
  const left = new Set(notices.map((notice) => notice.number))
  keepOnly(
    ({ origin, title }) =>
      origin?.projectId !== id || left.has(origin.number) || (origin.number === 0 && !isOfUnopened(title)),
  )
  for (const notice of notices) postServerNotice(id, notice)
}

/** What the server was to have open, and cannot open: shown anew as it is now, since nobody keeps what is said of it. */
export function takeUnopened(unopened: Snapshot['unopened']): void {
  keepOnly(({ title }) => !isOfUnopened(title))
  for (const { projectId, notice } of unopened) postServerNotice(projectId, notice)
}

function isOfUnopened(title: Notice['title']): boolean {
  return typeof title !== 'string' && title.code === 'projectNotOpened'
}

function keepOnly(isKept: (notice: Notice) => boolean): void {
  noticeStore.setState(noticeStore.getState().filter(isKept), true)
}
