// @vitest-environment jsdom
import { beforeEach, expect, it, vi } from 'vitest'
import { project } from '../testing/builders'
import { answerWith, type Sent } from '../testing/fakeServer'
import type { ServerNotice } from '../wire/shapes'
import { en } from '../words/en'
import { fr } from '../words/fr'
import { dismissNotice, dropNotice, noticeStore, postServerNotice, takeNotices, takeUnopened } from './notices'
import { isSaidElsewhere, noticeDetail, noticeTitle } from './noticeText'

const OFFERED = {
  conversationId: 'c',
  view: 'chat',
  nodeId: null,
  startedAtMs: null,
  canResume: true,
  reason: '',
  fields: {},
} as const

let sent: Sent[]

beforeEach(() => {
  sent = answerWith({})
  noticeStore.setState([], true)
})

function posted(change: Partial<ServerNotice>): ServerNotice {
  return { number: 1, code: 'fileTrouble', detail: 'The server’s sentence.', slug: null, fields: {}, ...change }
}

function told(change: Partial<ServerNotice>, words: typeof en): [string, string] {
  postServerNotice('p', posted(change))
  const notice = noticeStore.getState().at(-1)
  if (notice === undefined) throw new Error('nothing was posted')
  return [noticeTitle(notice, words, '', 1), noticeDetail(notice, words)]
}

it('says that a project ended, and why', () => {
  const ended = { code: 'projectEnded', fields: { project: '/shop', code: 'INTERNAL' } } as const

  expect(told(ended, en)).toEqual([
    '/shop was closed because it failed',
    'A fault of IdeA. The log of `idea serve` says more. Open it again.',
  ])
  expect(told(ended, fr)).toEqual([
    '/shop a été fermé à la suite d’une panne',
    'Une erreur d’IdeA. Le journal d’`idea serve` en dit plus. Rouvrez-le.',
  ])
})

it('says that a project waits for a process that does not answer, until it opens', () => {
  const fields = { project: '/shop', code: 'LOST', why: 'keeperSilent', pid: 12 }
  const unopened = { code: 'projectNotOpened', number: 0, fields } as const

  expect(told(unopened, en)).toEqual([
    '/shop could not be opened',
    'The process that holds this project’s agents (pid 12) does not answer. If it was halted, `kill -CONT 12` lets it go on; `kill -9 12` ends it, and them with it. The project opens by itself as soon as it answers.',
  ])
  expect(told(unopened, fr)[1]).toMatch(/ne répond pas.*Le projet s’ouvrira de lui-même dès qu’il répondra\.$/)

  takeUnopened([{ projectId: 'p', notice: posted(unopened) }])
  expect(noticeStore.getState()).toHaveLength(1)
  takeNotices({ id: 'p', notices: [] })
  expect(noticeStore.getState()).toEqual([])
})

it('says what becomes of what a full disk refuses', () => {
  const full = { code: 'CONFLICT', why: 'recordUnwritable', detail: 'database or disk is full', isKept: true }

  const [title, detail] = told({ fields: full }, fr)

  expect(title).toBe('Un fichier de ce projet n’a pas pu servir')
  expect(detail).toMatch(/^L’historique du projet n’a pas pu être écrit.*Vos agents continuent/)
})

it('names the agent, and hands on what a CLI said itself', () => {
  expect(told({ code: 'spontaneousTurn', slug: 'qa', detail: 'Fini.' }, fr)).toEqual([
    'qa a parlé sans qu’on lui demande',
    'Fini.',
  ])
  expect(told({ code: 'spontaneousTurn', slug: 'qa', detail: 'Done.' }, en)).toEqual([
    'qa spoke without being asked',
    'Done.',
  ])
})

it('says why agents ended or a terminal begins empty, and nothing of a failed call', () => {
  const lost = { code: 'keeperLost', fields: { code: 'LOST', why: 'keeperEnded' } } as const
  const empty = { code: 'screenLost', slug: 'qa', fields: { code: 'LOST', why: 'screenUnreadable' } } as const

  expect(told(lost, en)).toEqual([
    'Agents of this project have ended',
    'The process that holds this project’s agents has ended, and they with it.',
  ])
  expect(told(empty, fr)).toEqual([
    'Le terminal de qa repart vide',
    'Ce qu’il montrait avant ce serveur ne peut être relu. Son programme continue.',
  ])
})

it('goes when another page dismissed it, and is not dismissed again', () => {
  postServerNotice('p', posted({ number: 1 }))
  postServerNotice('p', posted({ number: 2, detail: 'Another.' }))
  postServerNotice('q', posted({ number: 1, detail: 'A third.' }))

  dropNotice('p', 1)

  expect(noticeStore.getState().map((one) => one.detail)).toEqual(['Another.', 'A third.'])
  expect(sent).toEqual([])
})

it('goes when it was dismissed while this page was away, but not with the project that it tells the end of', () => {
  postServerNotice('p', posted({ number: 1 }))
  postServerNotice('p', posted({ number: 0, code: 'projectEnded', detail: 'Ended.' }))

  takeNotices({ id: 'p', notices: [posted({ number: 3, detail: 'Another.' })] })

  expect(noticeStore.getState().map((one) => one.detail)).toEqual(['Ended.', 'Another.'])
})

it('asks the server to forget what somebody has read', async () => {
  postServerNotice('p', posted({ number: 4 }))
  const [notice] = noticeStore.getState()

  dismissNotice(notice?.id ?? '')

  expect(noticeStore.getState()).toEqual([])
  await vi.waitFor(() => expect(sent).toHaveLength(1))
  expect(sent[0]).toMatchObject({ method: 'DELETE', path: '/api/projects/p/notices/4' })
})

it('tells by their names several that ended alike, and not while the offer to resume names them', () => {
  const fields = { why: 'endedUnseen', code: 'LOST', agents: ['main', 'qa'] }
  postServerNotice('p', posted({ code: 'sessionLost', fields }))
  const notice = noticeStore.getState().at(-1)
  if (notice === undefined) throw new Error('nothing was posted')
  const facts = (...offered: string[]) => {
    const resumable = offered.map((agentId) => ({ ...OFFERED, agentId }))
    return new Map([['p', project({ resumable })]])
  }

  expect(noticeTitle(notice, fr, 'Main et QA', 2)).toBe('Main et QA se sont terminés en l’absence d’IdeA')
  expect(isSaidElsewhere(notice, facts('main', 'qa'))).toBe(true)
  expect(isSaidElsewhere(notice, facts('main'))).toBe(false)
})
