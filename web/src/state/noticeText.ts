/** Notices in the person's language. */

import type { NoticeCode } from '../wire/shapes'
import type { Words } from '../words/en'
import { causeText, failureText } from './failureText'
import type { Notice } from './notices'
import type { ProjectFacts } from './project'

const causesAlone: ReadonlySet<string> = new Set(['keeperLost', 'projectNotOpened', 'screenLost', 'sessionFound'])

/** `names`: how the person knows the agents that it is about; empty where it is about none that is known. */
export function noticeTitle({ title }: Notice, words: Words, names: string, count = 1): string {
  if (typeof title === 'string') return title
  const titles: Readonly<Record<string, (about: string, count: number) => string>> = words.notice
    .title satisfies Record<NoticeCode, (about: string, count: number) => string>
  // A newer server may know more: its detail is still worth showing.
  return titles[title.code]?.(names || title.about, count) ?? words.notice.other
}

export function noticeDetail({ title, detail }: Notice, words: Words): string {
  if (typeof detail === 'string') return detail
  const code = typeof title === 'string' ? '' : title.code
  // Nothing failed that somebody asked for: the title says what happened, and this why.
  const said = causesAlone.has(code) ? causeText(detail, words) || detail.message : failureText(detail, words)
  const isAwaited = code === 'projectNotOpened' && detail.fields.why === 'keeperSilent'
  const next = [
    code === 'projectEnded' && words.notice.openAgain,
    isAwaited && words.notice.opensByItself,
    detail.fields.isKept === true && words.notice.isKept,
  ]
  return [said, ...next].filter(Boolean).join(' ')
}

/** The offer to resume names the same agents, for as long as it stands. */
export function isSaidElsewhere({ title, origin }: Notice, projects: ReadonlyMap<string, ProjectFacts>): boolean {
  if (typeof title === 'string' || title.code !== 'sessionLost' || origin === undefined) return false
  const offered = projects.get(origin.projectId)?.resumable ?? []
  return title.agentIds.length > 0 && title.agentIds.every((id) => offered.some(({ agentId }) => agentId === id))
}
