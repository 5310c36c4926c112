/** Beginning, taking up and giving away sessions. */

import type { sessions as english } from '../en/sessions'
import { many } from './many'

export const sessions: typeof english = {
  refused: {
    title: (name) => `${name} ne peut pas reprendre sa conversation`,
    said: (words) => `Sa CLI dit : ${words}`,
    other: 'Sa CLI a repris une autre conversation, IdeA l’a donc arrêtée.',
    primed: 'Recommencer avec la transcription',
    empty: 'Commencer vide',
    again: 'Réessayer',
  },

  earlier: {
    title: (name) => `Rattacher ${name} à une conversation antérieure`,
    lead: (cli) =>
      `Ce que ${cli} garde de ce dossier, qui que ce soit qui l’ait commencé. L’agent continue celle que vous choisissez.`,
    none: (cli) => `${cli} ne garde aucune conversation de ce dossier.`,
    noWords: 'Rien n’y a encore été dit',
    about: (when, size) => `${when} · ${size}`,
    size: (kib) => (kib < 1024 ? `${kib} ko` : `${Math.round(kib / 1024)} Mo`),
    isOwn: 'sa conversation actuelle',
    ofAgent: (name) => `celle de ${name}`,
    notListed: 'Les conversations n’ont pas été chargées',
    notAttached: 'L’agent garde sa conversation',
  },

  mark: {
    empty: 'Nouvelle conversation : l’agent ne connaît pas ce qui précède',
    terminal: 'La conversation a continué dans le terminal ; ce qui y a été dit n’est pas montré',
    beside: 'À côté de son terminal il n’a pas pu reprendre ; il a reçu la fin de ce qui s’est dit',
    attached: 'Une conversation antérieure de sa CLI continue à partir d’ici',
    primed: 'Nouvelle conversation : l’agent a reçu la fin de ce qui précède',
  },

  ending: {
    agents: (n) => (n === 0 ? 'aucun agent ne tourne' : `arrête ${many(n, 'agent', 'agents')}`),
    turns: (n) => `interrompt ${many(n, 'tour', 'tours')}`,
    waiting: (n) => `laisse ${many(n, 'message non remis', 'messages non remis')}`,
  },

  launch: {
    failed: (name) => `${name} n’a pas démarré`,
    notSwitched: (name) => `${name} reste dans sa vue`,
    stopFailed: (name) => `${name} ne s’est pas arrêté`,
    survivors: (n) => `${many(n, 'processus tourne', 'processus tournent')} encore.`,
    elsewhere: (name) => `${name} tourne déjà dans une autre cellule`,
    background: (name) => `${name} tourne déjà en arrière-plan`,
    elsewhereDetail: 'Un agent, une session : allez à cette cellule, ou déplacez-le ici.',
  },

  resume: {
    ran: (names, n) => `${names} ${n === 1 ? 'était actif' : 'étaient actifs'} auparavant.`,
    unable: (names) => `Reprise impossible : ${names}.`,
    all: (n) => (n === 1 ? 'Reprendre 1 agent' : `Reprendre ${n} agents`),
    one: (name) => `Reprendre ${name}`,
    button: 'Reprendre',
    pending: 'Reprise…',
    choose: 'Choisir…',
    notNow: 'Pas maintenant',
    title: 'Agents qui étaient actifs',
    lead: 'Ils poursuivent leur conversation. Laissés à l’arrêt, ils la poursuivront quand vous les démarrerez.',
    none: 'Il ne reste rien à reprendre.',
    since: (time) => `depuis ${time}`,
    startInstead: 'Démarrez-le plutôt dans sa cellule.',
    always: 'Désormais, les reprendre sans demander',
    notResumed: 'Ils n’ont pas été repris',
    notLeft: 'La proposition reste ouverte',
  },
}
