/** How an agent's state is shown: shape, colour and word, from its readiness and its running turn. */

import type { LiveTurn } from '../wire/shapes'
import type { Words } from '../words/en'
import { age, clockTime, type Locale } from '../words/words'
import type { ProjectAgent } from './agents'
import { reasonText } from './failureText'
import { isPerson } from './person'

type Glyph =
  | 'working'
  | 'working-for'
  | 'idle'
  | 'starting'
  | 'needs-you'
  | 'limited'
  | 'stalled'
  | 'restarting'
  | 'exited'

export interface AgentFace {
  glyph: Glyph
  tone: Exclude<Glyph, 'working-for'> | 'danger'
  word: string
  isLive: boolean
}

type Shown = Pick<ProjectAgent, 'readiness' | 'liveTurn'> & Partial<Pick<ProjectAgent, 'sideSession'>>

export function faceOf({ readiness, liveTurn }: Shown, words: Words, locale: Locale, nowMs: number): AgentFace {
  switch (readiness.state) {
    case 'working': {
      const requester = liveTurn?.requester
      const isForAgent = requester !== undefined && !isPerson(requester.id)
      return isForAgent
        ? { glyph: 'working-for', tone: 'working', word: words.state.busyFor(requester.name), isLive: false }
        : { glyph: 'working', tone: 'working', word: words.state.working, isLive: true }
    }
    case 'waitingPermission':
      return plain('needs-you', words.state.needsYou)
    case 'rateLimited':
      return readiness.untilAtMs === null
        ? plain('needs-you', words.state.needsYou)
        : plain('limited', words.state.limitUntil(clockTime(readiness.untilAtMs, locale)))
    case 'stalled':
      return plain('stalled', words.state.stalled(age(nowMs - readiness.sinceAtMs, words)))
    case 'exited':
      return exitedFace(readiness, words)
    default:
      return plain(readiness.state, words.state[readiness.state])
  }
}

function exitedFace({ exitCode, reason }: Shown['readiness'], words: Words): AgentFace {
  if (reason === 'stopped') return plain('exited', words.state.stopped)
  if (reason === 'launchFailed') return { ...plain('exited', words.reason.launchFailed.toLowerCase()), tone: 'danger' }
  if (reason === 'conversationRefused' || reason === 'otherConversation') {
    return { ...plain('exited', words.state.refused), tone: 'danger' }
  }
  if (reason === 'lost' || reason === 'keeperLost') return { ...plain('exited', words.state.lost), tone: 'danger' }
  if (exitCode === null) return plain('exited', words.state.notStarted)
  const word = exitCode < 0 ? words.state.exitedBySignal(-exitCode) : words.state.exited(exitCode)
  return exitCode === 0 ? plain('exited', word) : { ...plain('exited', word), tone: 'danger' }
}

/** Of an agent whose CLI nobody knows: it cannot be started. */
export function unknownFace(words: Words): AgentFace {
  return { ...plain('exited', words.state.noProfile), tone: 'danger' }
}

function plain(state: Exclude<Glyph, 'working-for'>, word: string): AgentFace {
  return { glyph: state, tone: state, word, isLive: false }
}

/** Reason, detail, source and age of the belief, in one line; before it what else the agent is at. */
export function beliefOf({ readiness, liveTurn, sideSession }: Shown, words: Words, nowMs: number): string {
  if (sideSession && liveTurn !== null) {
    return `${besideText(liveTurn, words)} · ${beliefOf({ readiness, liveTurn }, words, nowMs)}`
  }
  // Nothing is believed of what never ran: no source, no age.
  if (readiness.reason === 'neverLaunched') return words.reason.neverLaunched
  const reason = reasonOf({ readiness, liveTurn }, words)
  return words.belief(reason, words.source[readiness.source], age(nowMs - readiness.sinceAtMs, words))
}

/** Whom a session beside the terminal answers in this turn. */
export function besideText({ requester: { id, name } }: LiveTurn, words: Words): string {
  return isPerson(id) ? words.answersYouBeside : words.answersBeside(name)
}

function reasonOf({ readiness, liveTurn }: Shown, words: Words): string {
  const { reason, detail, fields } = readiness
  if (reason === 'turnRunning') {
    const requester = liveTurn?.requester
    // The id that stands for the person is no word of theirs; an agent may be named like it.
    const isForPerson = requester === undefined || isPerson(requester.id)
    if (isForPerson && isPerson(detail)) return words.worksForYou
    if (detail === requester?.name) return words.worksFor(detail)
  }
  // The reason itself says as much.
  if (reason === 'lost' && fields.why === 'endedUnseen') return words.reason.lost
  const said = reasonText({ reason: detail, fields }, words)
  return said === '' ? words.reason[reason] : words.reasonWith(words.reason[reason], said)
}
