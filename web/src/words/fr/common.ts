/** What belongs to no area of its own. */

import type { common as english } from '../en/common'
import { many } from './many'

export const common: typeof english = {
  areas: 'Zones principales',
  cells: 'Cellules',
  agents: 'Agents',
  agent: 'Agent',
  projects: 'Projets',
  settings: 'Réglages',
  shortcuts: 'Raccourcis clavier',
  status: 'État',
  close: 'Fermer',
  cancel: 'Annuler',
  save: 'Enregistrer',
  delete: 'Supprimer',
  retry: 'Réessayer',
  back: 'Retour à la liste',
  more: 'Plus',
  copy: 'Copier',
  copied: 'Copié',
  copyCode: 'Copier le code',
  copyCommand: (name) => `Copier la commande pour ${name}`,
  dismiss: 'Fermer l’avis',
  unsaved: { question: 'Abandonner vos modifications ?', keep: 'Continuer', discard: 'Abandonner' },
  you: 'Vous',
  file: 'Fichier',
  notices: 'Avis',
  loading: 'Chargement…',

  fault: {
    page: 'IdeA n’a pas pu dessiner cette page',
    pageDetail: 'Vos agents continuent. Rechargez la page ; si cela revient, copiez ce qui suit et signalez-le.',
    reload: 'Recharger la page',
    copy: 'Copier ce qui s’est passé',
    cell: 'Cette cellule n’a pas pu être dessinée',
    cellDetail: 'Son agent continue. Réessayez, montrez-le dans son autre vue, ou fermez la cellule.',
    part: 'Cette partie de la page n’a pas pu être dessinée',
    partDetail: 'Le reste continue. Réessayez, ou rechargez la page.',
    item: 'Ce message n’a pas pu être dessiné',
    showPlain: 'Le montrer en texte brut',
  },

  text: {
    extent: (lines, chars) => `${many(lines, 'ligne', 'lignes')}, ${chars} caractères`,
    below: (lines) => `encore ${many(lines, 'ligne', 'lignes')} plus bas`,
    unfold: (lines, chars) => `Tout montrer : ${many(lines, 'ligne', 'lignes')}, ${chars} caractères`,
    gap: {
      spaces: (shown) => `${shown} espaces`,
      lines: (shown) => `${shown} lignes vides`,
    },
  },

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

  counts: {
    needYou: (n) => many(n, 'demande', 'demandes'),
    agents: (n, working) =>
      working > 0 ? `${many(n, 'agent', 'agents')}, ${working} au travail` : many(n, 'agent', 'agents'),
    queued: (n) => `${n} en file d’attente`,
    limited: (n, until) =>
      until === null ? many(n, 'limité', 'limités') : `${many(n, 'limité', 'limités')} jusqu’à ${until}`,
  },

  theme: {
    label: 'Thème',
    choose: 'Changer de thème',
    system: 'Comme le système',
    light: 'Clair',
    dark: 'Sombre',
    contrast: 'Contraste élevé, sombre',
    'contrast-light': 'Contraste élevé, clair',
  },
  language: { name: 'Français', choose: 'Langue : français' },
  noProfile: (id) => `Sa CLI « ${id} » est inconnue : modifiez l’agent et choisissez-en une autre`,
  worksFor: (name) => `Travaille pour ${name}`,
  answersBeside: (name) => `Répond à ${name} à côté de son terminal`,
  answersYouBeside: 'Vous répond à côté de son terminal',
  worksForYou: 'Travaille pour vous',
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

  keys: {
    needs: 'Aller à la première chose qui vous attend',
    asks: 'Aller à ce qu’un terminal propose ou demande avant de coller ; Échap revient',
    focus: 'Aller à la cellule 1 … 9, aussi hors d’un terminal, qui garde Tab pour son programme',
    newLine: 'Nouvelle ligne dans un message',
    send: 'Envoyer le message',
    history: 'Vos messages précédents, dans un champ vide',
    walk: 'Suivante, précédente, sa cellule, sur la page « À vous »',
    answer: 'Une fois, pour la session, refuser, là et dans une demande',
    hide: 'Masquer le volet au-dessus d’un terminal',
    clipboard: 'Copier et coller dans un terminal',
    find: 'Chercher dans un terminal ; avec Maj aussi dans un programme en plein écran',
    mark: 'Sélectionner au clavier dans un terminal',
    zoom: 'Texte plus grand, plus petit, habituel dans les terminaux',
    space: 'Espace',
    command: 'Cmd',
    maximise: 'Agrandir ou rétablir la cellule active',
    layouts: 'Dispositions',
    help: 'Cette liste',
    enter: 'Entrée',
    shift: 'Maj',
    escape: 'Échap',
  },

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
