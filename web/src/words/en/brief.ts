/** An agent in one line: what it does, for whom, and how that is known. */

import { many } from './many'

export const brief = {
  counts: {
    needYou: (n: number) => `${n} ${n === 1 ? 'needs' : 'need'} you`,
    agents: (n: number, working: number) =>
      working > 0 ? `${many(n, 'agent', 'agents')}, ${working} working` : many(n, 'agent', 'agents'),
    queued: (n: number) => `${n} waiting in queues`,
    limited: (n: number, until: string | null) => (until === null ? `${n} limited` : `${n} limited until ${until}`),
  },
  noProfile: (id: string) => `Its CLI “${id}” is unknown: edit the agent and choose another`,
  worksFor: (name: string) => `Works for ${name}`,
  answersBeside: (name: string) => `Answers ${name} beside its terminal`,
  answersYouBeside: 'Answers you beside its terminal',
  worksForYou: 'Works for you',
  startsInTerminal: 'Runs in a terminal: start it in its cell',
  waitsForOne: (name: string) => `Waits for ${name}, which needs you`,
  reasonWith: (reason: string, detail: string) => `${reason}: ${detail}`,
  belief: (reason: string, source: string, age: string) => `${reason} · ${source}, ${age} ago`,

  age: {
    seconds: (n: number) => `${n} s`,
    minutes: (n: number) => `${n} min`,
    minutesAndSeconds: (m: number, s: string) => `${m} min ${s}`,
    hours: (n: number) => `${n} h`,
    days: (n: number) => `${n} d`,
  },
}
