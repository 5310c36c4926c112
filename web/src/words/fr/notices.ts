/** What a person should know and nothing else shows. */

import type { notices as english } from '../en/notices'
import { many } from './many'

export const notices: typeof english = {
  notice: {
    title: {
      sessionLost: (names, count) =>
        `${names} ${count === 1 ? 's’est terminé' : 'se sont terminés'} en l’absence d’IdeA`,
      sessionFound: (name) => `${name} a été trouvé en marche`,
      spontaneousTurn: (slug) => `${slug} a parlé sans qu’on lui demande`,
      fileTrouble: () => 'Un fichier de ce projet n’a pas pu servir',
      screenLost: (slug) => `Le terminal de ${slug} repart vide`,
      keeperLost: () => 'Des agents de ce projet se sont arrêtés',
      projectEnded: (path) => `${path} a été fermé à la suite d’une panne`,
      projectNotOpened: (path) => `${path} n’a pas pu être ouvert`,
    },
    other: 'À savoir',
    more: (n) => `${many(n, 'avis plus ancien', 'avis plus anciens')}`,
    allRead: 'Tout fermer',
    openAgain: 'Rouvrez-le.',
    opensByItself: 'Le projet s’ouvrira de lui-même dès qu’il répondra.',
    isKept:
      'Vos agents continuent, et ce qu’ils disent est gardé jusqu’à pouvoir être écrit. Libérez de la place sur le disque et laissez tourner IdeA, sinon c’est perdu.',
  },
}
