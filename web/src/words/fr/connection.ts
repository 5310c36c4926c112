/** Whether IdeA is there, and lets this browser in. */

import type { connection as english } from '../en/connection'

export const connection: typeof english = {
  locked: {
    title: 'Ce navigateur n’a pas la clé d’IdeA',
    noCredential: 'IdeA ne s’ouvre qu’aux navigateurs passés par un lien de démarrage.',
    revoked: 'La clé de ce navigateur a été révoquée, ou le serveur ne la connaît plus.',
    codeRefused: 'Ce lien de démarrage a déjà servi, ou date de plus de 60 secondes.',
    unreachable: 'Le serveur n’a pas répondu.',
    how: 'Créez un nouveau lien dans un terminal et ouvrez-le ici :',
    command: 'idea link',
    howRun: 'Ou, si IdeA a été lancé par make run, dans le même dossier :',
    commandRun: '.venv/bin/idea link',
    printed: 'Le terminal où tourne IdeA indique la commande exacte sous son adresse.',
  },

  connection: {
    connecting: 'Connexion…',
    online: 'Connecté',
    lost: 'Connexion perdue',
    lostSince: {
      broken: (time) => `Connexion perdue à ${time}.`,
      ended: (time) =>
        `IdeA a été arrêté à ${time}. Lancez-le avec idea ; si un autre serveur a pris le relais, idea link donne son adresse.`,
      silent: (time) => `IdeA ne répond plus depuis ${time}.`,
    },
    agentsGoOn: 'Les agents continuent.',
    retryingIn: (seconds) => `Nouvel essai dans ${seconds} s.`,
    retryingNow: 'Nouvel essai en cours.',
    retryNow: 'Réessayer',
    offline: 'Le serveur n’a pas répondu.',
    offlineAdvice: 'La page se reconnecte d’elle-même ; réessayez alors.',
    unanswered: 'IdeA n’a pas répondu. C’est peut-être fait, ou le sera plus tard.',
    unansweredAdvice: 'Voyez ce qu’il en est avant de réessayer.',
  },
}
