/** Notices in the person's language. */

import type { NoticeCode } from '../wire/shapes'
import type { Words } from '../words/en'
import { causeText, failureText } from './failureText'
import type { Notice } from './notices'

const causesAlone: ReadonlySet<string> = new Set(['keeperLost', 'screenLost', 'sessionFound'])

export function noticeTitle({ title }: Notice, words: Words): string {
  if (typeof title === 'string') return title
  const titles: Readonly<Record<string, (about: string) => string>> = words.notice.title satisfies Record<
    NoticeCode,
    (about: string) => string
  >
  // A newer server may know more: its detail is still worth showing.
  return titles[title.code]?.(title.about) ?? words.notice.other
}

export function noticeDetail({ title, detail }: Notice, words: Words): string {
  if (typeof detail === 'string') return detail
  // Nothing failed that somebody asked for: the title says what happened, and this why.
  if (typeof title !== 'string' && causesAlone.has(title.code)) {
    return causeText(detail, words) || detail.message
  }
  const isEnd = typeof title !== 'string' && title.code === 'projectEnded'
  const next = [isEnd && words.notice.openAgain, detail.fields.isKept === true && words.notice.isKept]
  return [failureText(detail, words), ...next].filter(Boolean).join(' ')
}
