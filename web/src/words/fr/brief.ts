/** An agent in one line: what it does, for whom, and how that is known. */

import type { brief as english } from '../en/brief'
import { many } from './many'

export const brief: typeof english = {
  counts: {
    needYou: (n) => many(n, 'demande', 'demandes'),
    agents: (n, working) =>
      working > 0 ? `${many(n, 'agent', 'agents')}, ${working} au travail` : many(n, 'agent', 'agents'),
    queued: (n) => `${n} en file d’attente`,
    limited: (n, until) =>
      until === null ? many(n, 'limité', 'limités') : `${many(n, 'limité', 'limités')} jusqu’à ${until}`,
  },
  noProfile: (id) => `Sa CLI « ${id} » est inconnue : modifiez l’agent et choisissez-en une autre`,
  worksFor: (name) => `Travaille pour ${name}`,
  answersBeside: (name) => `Répond à ${name} à côté de son terminal`,
  answersYouBeside: 'Vous répond à côté de son terminal',
  worksForYou: 'Travaille pour vous',
  startsInTerminal: 'Tourne dans un terminal : lancez-le dans sa cellule',
  waitsForOne: (name) => `Attend ${name}, qui a besoin de vous`,
  reasonWith: (reason, detail) => `${reason} : ${detail}`,
  belief: (reason, source, age) => `${reason} · ${source}, il y a ${age}`,

  age: {
    seconds: (n) => `${n} s`,
    minutes: (n) => `${n} min`,
    minutesAndSeconds: (m, s) => `${m} min ${s}`,
    hours: (n) => `${n} h`,
    days: (n) => `${n} j`,
  },
}
