/** Why something was refused or failed, by the server's keys, in French. */

import type * as english from '../en/why'
import { atLine, exitOf, withPid } from '../named'
import { many } from './many'

export const why: typeof english.why = {
  messageEmpty: () => 'Le message est vide.',
  messageTooLong: (named) => `Le message est trop long : ${named('limit')} caractères au plus.`,
  timeoutOutOfRange: (named) => `La durée doit être supérieure à 0 et d’au plus ${named('limit')} secondes.`,
  turnEnded: () => 'Ce tour est déjà terminé.',
  queueFull: (named) => `${named('limit')} tours attendent déjà.`,
  runsAsTerminal: (named) =>
    `${named('agent')} tourne dans un terminal, où seule une personne écrit. Passez sa cellule en discussion, ou arrêtez-le.`,
  aloneInTerminal: (named) =>
    `${named('agent')} tourne dans un terminal, où seule une personne écrit, et ses réglages l’y tiennent. Passez sa cellule en discussion, arrêtez-le, ou laissez-le répondre à côté de son terminal.`,
  stillInTurn: (named) => `${named('agent')} est encore dans un tour.`,
  endedUnseen: () => 'elle s’est terminée sans serveur pour le voir',
  endedWithKeeper: () => 'le processus qui porte les agents s’est arrêté, et lui avec',
  strayTakenUp: () => 'IdeA n’en avait pas de trace ; il continue tel quel',
  strayEnded: () => 'IdeA n’en avait pas de trace et ne pouvait pas le reprendre ; il a été arrêté',
  agentDeleted: () => 'elle a été supprimée',
  ended: (named) => `son processus s’est terminé, ${exitOf(named)}`,
  endedBeforeMessage: () => 'sa CLI s’est terminée avant de prendre le message',
  faultOfIdea: () => 'une erreur d’IdeA',
  personsAlone: () => 'Un programme d’un agent l’a demandé, et c’est à une personne de le faire.',
  serverEnded: () => 'le serveur a été arrêté pendant cette demande',

  runsAlready: (named) => `${named('agent')} tourne. Arrêtez-le avant de le lancer à neuf.`,
  runsInOtherView: (named) => `${named('agent')} tourne dans son autre vue. Arrêtez-le avant de changer.`,
  runsOnAnotherServer: (named) =>
    `${named('agent')} tourne déjà sur un autre serveur IdeA${withPid(named)}. Arrêtez-le d’abord là-bas.`,
  otherConversation: (named) => `elle en a repris une autre, ${named('other')}`,
  noTranscript: (named) => `IdeA n’a pas de transcription de ${named('agent')}. Lancez-le vide.`,
  turnRuns: (named) => `${named('agent')} est dans un tour. Attendez sa fin, ou arrêtez le tour.`,
  cannotResumeInView: (named) =>
    `${named('profile')} ne peut pas reprendre une conversation dans cette vue. Arrêtez ${named('agent')}, et relancez-le là-bas.`,
  conversationUnclear: (named) =>
    `Plusieurs conversations de ${named('profile')} ont commencé ici depuis le lancement de ${named('agent')}, et IdeA ne sait pas laquelle est la sienne.`,
  conversationTaken: (named) => `Cette conversation est celle de ${named('agent')}.`,
  conversationsUnknown: (named) => `IdeA ne sait pas où ${named('profile')} garde ses conversations.`,
  cannotPrime: (named) =>
    `${named('profile')} ne prend pas d’instructions au démarrage : elle ne peut pas apprendre ce qui a été dit.`,
  noTerminalView: (named) => `${named('profile')} n’a pas de vue terminal. Prenez la discussion.`,
  noChatView: (named) => `${named('profile')} n’a pas de vue discussion. Prenez le terminal.`,
  noEngine: (named) => `${named('profile')} ne tourne que dans un terminal.`,
  notOnPath: (named) => `le programme ${named('program')} est introuvable dans PATH`,
  variableMissing: (named) => `il lui faut la variable ${named('variable')}, qui n’est pas définie`,
  cannotStart: (named) => `${named('program')} n’a pas pu être lancé dans ${named('folder')} : ${named('detail')}`,
  endedAtOnce: (named) => `elle s’est terminée aussitôt, ${exitOf(named)}`,
  notReady: (named) => `elle n’était pas prête après ${named('seconds')} s`,
  stoppedWhileStarting: () => 'elle a été arrêtée pendant son démarrage',
  doesNotEnd: () => 'elle a été arrêtée, mais il en reste quelque chose',
  cliInstructionsTooLong: (named) =>
    `Les instructions sont trop longues pour ${named('profile')} : ${named('limit')} octets au plus. Raccourcissez-les, ou déplacez-en une partie dans un fichier qu’elles nomment.`,
  terminalDeaf: (named) => `${named('program')} ne lit pas son terminal : rien de plus ne peut y être écrit.`,
  promptTooLong: (named) =>
    `Un terminal prend jusqu’à ${named('kib')} Kio à la fois. Mettez plutôt le texte dans un fichier.`,
  oneLineOnly: (named) =>
    `Le programme de ${named('agent')} ne prend pas un texte d’un seul tenant : il exécuterait chaque ligne. Envoyez une seule ligne, de ${named('limit')} octets au plus.`,
  asksInTerminal: (named) => `${named('agent')} demande quelque chose dans son terminal. Répondez-y d’abord.`,
  notAtPrompt: (named) => `Rien ne montre que ${named('agent')} attend un message à son invite. Regardez son terminal.`,
  noStartSigns: (named) =>
    `${named('profile')} ne montre pas quand un tour commence : personne ne saurait si ${named('agent')} a pris le message. Écrivez-le dans le terminal.`,
  promptUnconfirmed: (named) =>
    `${named('agent')} n’a pas montré qu’un tour a commencé. Le texte est peut-être dans sa ligne de saisie : regardez son terminal.`,

  screenUnreadable: () => 'Ce qu’il montrait avant ce serveur ne peut être relu. Son programme continue.',

  fileBroken: (named) => `${named('file')} est invalide. Corrigez-le d’abord dans un éditeur.`,
  fileOfAnother: (named) => `${named('file')} est maintenant à un autre agent. Regardez-le à nouveau.`,
  agentChanged: (named) =>
    `${named('agent')} a été modifié depuis que vous avez commencé. Regardez sa version actuelle.`,
  agentNotText: () => 'Ce n’est pas du texte UTF-8 simple. Enregistrez-le ainsi dans un éditeur.',
  agentNoSettings: () =>
    'Il doit commencer par des réglages, comme « name: QA », entre deux lignes de trois tirets (---).',
  agentNotYaml: (named) =>
    `Ses réglages ne sont pas du YAML valide${named('detail') === '' ? '' : ` : « ${named('detail')} »`}.`,
  agentTooMuch: () => 'Ses réglages sont trop longs, trop nombreux ou trop imbriqués.',
  agentAnchors: () => 'Ses réglages ne doivent pas utiliser d’ancres ni de références (& et *).',
  agentKeyMissing: (named) => `Il manque « ${named('key')} ».`,
  agentKeyUnusable: (named) => `Ce que dit « ${named('key')} » est inutilisable. Corrigez-le, ou retirez la ligne.`,
  agentPermissionsUnknown: (named) => `« permissions » doit être l’un de ${named('modes')}.`,
  agentIdInvalid: () => 'Son « id » n’en est pas un. Retirez la ligne et un nouveau sera créé.',
  agentIdTwice: (named) => `Il a le même « id » que ${named('file')}. Retirez la ligne et un nouveau sera créé.`,
  agentFileName: () =>
    'Le nom de son fichier doit être fait de a-z, 0-9, - et _, 32 au plus, et commencer par une lettre ou un chiffre.',
  agentUnreadable: (named) => `Il ne peut pas être lu : ${named('detail')}.`,
  agentUnusable: (named) => `Il ne peut pas servir : ${named('reason')}.`,
  agentIdUnwritable: (named) =>
    `Il n’a pas d’« id », et aucun n’a pu y être écrit${named('detail') === '' ? '' : ` : ${named('detail')}`}.`,
  nameInvalid: () =>
    'Le nom doit avoir de 1 à 80 caractères visibles, sans espace au début ni à la fin, et n’être ni « human » ni « file ».',
  agentNameTaken: (named) =>
    `${named('name')} pourrait être pris pour ${named('other')}, dont le fichier est ${named('file')}. Choisissez un autre nom.`,
  profileInvalid: () => 'La CLI doit être l’identifiant d’un profil, comme claude ou codex.',
  modelInvalid: () => 'Le modèle doit être un nom de modèle, sans tiret devant.',
  workspaceInvalid: () => 'L’espace de travail doit être un dossier du projet, relatif à celui-ci.',
  slugInvalid: (named) => `${named('name')} ne peut pas nommer un fichier : a-z, 0-9, - et _, 32 au plus.`,
  instructionsTooLong: (named) =>
    `Les instructions sont trop longues : le fichier d’un agent a ${named('limit')} octets au plus.`,
  secondsOutOfRange: (named) => `Une durée doit être un nombre entier de secondes, de 1 à ${named('limit')}.`,
  keeperUnknown: () => 'Le gardien doit être process ou in-process.',
  resumeUnknown: () => 'La reprise doit être offer ou auto.',

  layoutNameInvalid: (named) =>
    `Le nom d’une disposition a de 1 à ${named('limit')} caractères, aucun de / \\ : * ? " < > |, ni point ni espace aux bouts.`,
  layoutChanged: (named) => `La disposition ${named('name')} vient d’être modifiée ailleurs.`,
  layoutNameTaken: (named) => `Il y a déjà une disposition nommée ${named('name')}. Choisissez un autre nom.`,
  layoutsFull: (named) => `Il y a déjà ${named('limit')} dispositions. Supprimez-en une d’abord.`,
  lastLayout: () => 'C’est la dernière disposition, et un projet en a au moins une.',
  layoutNotShared: (named) => `Il n’y a pas de ${named('name')} partagée à reprendre.`,
  layoutUnusable: (named) => `Elle ne peut pas servir : ${named('reason')}.`,
  layoutUnreadable: (named) => `Illisible : ${named('detail')}.`,
  layoutFileName: () => 'Le nom de son fichier ne peut pas être celui d’une disposition.',
  noConversation: () => 'Il n’avait pas encore de conversation à poursuivre.',
  cannotResume: (named) => `${named('profile')} ne sait pas reprendre une conversation antérieure.`,
  profileGone: (named) => `Sa CLI ${named('profile')} n’est plus connue.`,
  localeUnknown: () => 'La langue doit être auto, en ou fr.',

  fileChanged: (named) => `${named('file')} vient de changer. Réessayez.`,
  filesChanged: () => 'Les fichiers du projet ont changé depuis que vous les avez vus. Regardez-les à nouveau.',
  cannotBeApproved: (named) => `${named('file')} ne peut pas être approuvé. Retirez-le d’abord du projet.`,

  pathNotWhole: (named) => `${named('path')} n’est pas un chemin complet. Nommez le dossier à partir de / ou de ~.`,
  noFolder: (named) => `Il n’y a pas de dossier ${named('path')}. Créez-le d’abord, ou nommez-en un autre.`,
  notAFolder: (named) => `${named('path')} n’est pas un dossier. Nommez le dossier qui le contient.`,
  folderUnusable: (named) => `${named('path')} ne peut pas être ouvert comme projet. Nommez un autre dossier.`,
  pathNotText: () => 'Le nom du dossier n’est pas de l’UTF-8 valide. Renommez le dossier.',
  wholeMachine: (named) => `${named('path')} est toute la machine, pas un projet. Nommez un dossier dedans.`,
  folderNotWritable: (named) =>
    `${named('path')} n’est pas modifiable, et IdeA y garde ses fichiers. Changez d’abord ses permissions.`,
  linkInTheWay: (named) => `${named('path')} est un lien symbolique ; IdeA écrirait là où il mène. Retirez-le d’abord.`,
  somethingInTheWay: (named) => `${named('path')} gêne. Renommez-le ou retirez-le d’abord.`,
  openElsewhere: (named) =>
    `Un autre de vos serveurs IdeA${withPid(named)} a ouvert ce projet. Passez par lui, ou arrêtez-le d’abord.`,
  holderStays: (named) => `Le processus ${named('pid')} ne se termine pas.`,
  holderChanged: () => 'Un autre serveur a le projet à présent. Regardez de nouveau.',
  opensTooSlowly: (named) => `${named('path')} a mis trop de temps à s’ouvrir. Voyez si son disque répond.`,
  doesNotClose: (named) => `${named('path')} ne se ferme pas. Arrêtez le serveur, puis ses agents avec \`idea stop\`.`,
  doesNotOpen: () => 'le projet n’a pas pu être ouvert',

  keeperEnded: () => 'Le processus qui porte les agents de ce projet s’est arrêté, et eux avec lui.',
  keeperDoesNotStart: (named) =>
    `Le processus qui porte les agents de ce projet ne démarre pas : ${named('detail')}. Un nouvel essai a lieu à chaque lancement d’agent.`,
  keeperDoesNotEnd: () =>
    'Le processus qui porte les agents de ce projet ne répond pas et ne s’arrête pas. `idea status` le nomme.',
  keeperUnreachable: (named) =>
    `Le processus qui porte les agents de ce projet${withPid(named)} vit, mais n’ouvre pas son socket. Réessayez dans une minute, ou arrêtez-le avec eux par \`idea stop\`.`,
  keeperSilent: (named) =>
    `Le processus qui porte les agents de ce projet${withPid(named)} ne répond pas.${named('pid') && ` S’il a été suspendu, \`kill -CONT ${named('pid')}\` le fait repartir ; \`kill -9 ${named('pid')}\` y met fin, et à eux avec lui.`}`,
  keeperIsEnding: (named) =>
    `Le processus qui porte les agents de ce projet${withPid(named)} s’arrête. Réessayez dans un instant.`,
  keeperOfOtherVersion: (named) =>
    `Les agents de ce projet sont portés par IdeA ${named('version')}${withPid(named)}, avec qui cette version ne sait pas travailler. Arrêtez-les avec \`idea stop\`, ou prenez cette version-là.`,

  folderOfAnother: (named) => `${named('path')} appartient à un autre utilisateur. Nommez un autre dossier.`,
  nameTaken: (named) => `${named('path')} existe déjà. Choisissez un autre nom.`,
  nameUnusable: (named) => `${named('name')} ne peut pas nommer un fichier.`,
  fileUnusable: (named) => `${named('path')} ne peut pas servir : ${named('detail')}.`,
  recordUnreadable: (named) => `L’historique du projet n’a pas pu être lu : ${named('detail')}.`,
  recordUnwritable: (named) => `L’historique du projet n’a pas pu être écrit : ${named('detail')}.`,
  stateTooLarge: (named) => `${named('file')} dépasserait ${named('limit')} octets.`,
  cannotListen: (named) => `IdeA ne peut pas écouter sur ${named('path')} : ${named('detail')}.`,
  socketPathTooLong: (named) =>
    `${named('path')} est un chemin trop long pour une socket. Donnez à XDG_RUNTIME_DIR un chemin plus court.`,

  doesNotFit: (named) =>
    named('names') === ''
      ? 'Quelque chose ici ne peut pas être accepté.'
      : `Ceci ne peut pas être accepté tel quel : ${named('names')}.`,

  settingsBroken: (named) =>
    `${named('file')}${atLine(named, ', ligne ')} n’est pas lisible : ${named('reason')}. Les valeurs par défaut servent jusqu’à sa correction.`,
  settingsSetAside: (named) =>
    `Les réglages précédents n’étaient pas lisibles (${named('reason')}). Leur fichier s’appelle désormais ${named('name')} ; ceux qui viennent d’être enregistrés servent.`,
  settingsUnusable: (named) =>
    `Inutilisable dans ${named('file')} : ${named('names')}. La valeur par défaut sert à la place ; corrigez-la dans les réglages.`,
  settingsUnknown: (named) =>
    `Un projet n’a pas ces réglages, ils sont ignorés : ${named('names')} dans ${named('file')}.`,
  layoutSetAside: (named) =>
    `La disposition n’a pas pu être lue (${named('reason')}). Son fichier s’appelle désormais ${named('name')} ; les cellules repartent de zéro.`,
  projectsSetAside: (named) =>
    `La liste des projets n’a pas pu être lue (${named('reason')}). Son fichier s’appelle désormais ${named('name')} ; les projets seront distingués à nouveau à leur ouverture.`,
  recordSetAside: (named) =>
    `L’historique des conversations n’a pas pu servir (${named('reason')}). Son fichier s’appelle désormais ${named('name')} ; un nouveau commence.`,
  recordLogSetAside: (named) =>
    `Le plus récent de l’historique des conversations n’a pas pu servir (${named('reason')}). Son fichier s’appelle désormais ${named('name')} ; ce qui est plus ancien est là.`,
  stateSetAside: (named) =>
    `Rien n’assure que ce qu’IdeA gardait dans ${named('path')} appartienne à ce projet. Cela s’appelle désormais ${named('name')} ; le projet repart de zéro.`,
  stateCopied: (named) =>
    `${named('path')} est une copie de ${named('other')} et repart de zéro. Ce qui a été copié s’appelle désormais ${named('name')}.`,

  stateRemoved: (named) =>
    `${named('path')} a été supprimé alors que le projet était ouvert, et est recréé avec ce qu’il contenait : les agents, les dispositions et tout ce qui a été dit.`,
  earlierEnded: (named) =>
    `Ce qu’IdeA gardait dans ${named('path')} avait été supprimé alors que des agents y tournaient (${named('names')}). Ils ont été arrêtés.`,
  watchesUsedUp: (named) =>
    `La limite de fichiers surveillés du système est atteinte : les changements faits à la main se voient après ${named('seconds')} s. Augmentez fs.inotify.max_user_watches ou max_user_instances.`,
  folderUnwatched: (named) => `${named('path')} ne peut plus être surveillé : ${named('detail')}. Rouvrez le projet.`,
  changesNotTaken: () =>
    'Les fichiers modifiés du projet n’ont pas pu être repris ; le journal du serveur dit pourquoi.',
}

/** Ce qui ne va pas dans un fichier. */
export const fault: typeof english.fault = {
  link: () => 'c’est un lien symbolique',
  folder: () => 'c’est un dossier',
  fifo: () => 'c’est un tube nommé',
  socket: () => 'c’est une socket',
  device: () => 'c’est un périphérique',
  notAFile: () => 'ce n’est pas un fichier ordinaire',
  tooLarge: (named) => `il dépasse ${named('limit')} octets`,
  empty: () => 'il est vide',
  laterVersion: () => 'une version plus récente d’IdeA l’a écrit',
  noVersion: () => 'il ne dit pas quelle version il a',
  notText: () => 'ce n’est pas du texte UTF-8',
  notJson: () => 'ce n’est pas du JSON valide',
  notToml: (named) => `ce n’est pas du TOML valide : « ${named('detail')} »`,
  notOurs: () => 'il ne contient pas ce qu’IdeA y garde',
  noDatabase: (named) => `il est endommagé : « ${named('detail')} »`,
  noLog: () => 'ce n’est pas le journal de cet historique',
}

export const errno: typeof english.errno = {
  EACCES: 'permission refusée',
  EPERM: 'non permis',
  EROFS: 'lecture seule',
  ENOSPC: 'le disque est plein',
  EDQUOT: 'votre part du disque est pleine',
  ENOENT: 'il n’y est pas',
  ENOTDIR: 'une partie de son chemin n’est pas un dossier',
  EISDIR: 'c’est un dossier',
  ELOOP: 'ses liens tournent en rond',
  EIO: 'le disque signale une erreur',
  EMFILE: 'trop de fichiers sont ouverts',
  ENFILE: 'trop de fichiers sont ouverts',
  ENAMETOOLONG: 'son nom est trop long',
}

export const trustNote: typeof english.trustNote = {
  runsProfile: (named) =>
    `lance le profil ${named('profile')}${named('model') === '' ? '' : ` avec le modèle ${named('model')}`}`,
  agentUnusable: (named) => `fichier d’agent inutilisable${atLine(named, ', ligne ')}`,
  notUnderstood: () => 'son contenu n’a pas été compris ; regardez dans le fichier',
  notInterpreted: (named) =>
    `${many(named('bytes'), 'octet', 'octets')} qu’IdeA n’interprète pas ; regardez dans le fichier`,
  alsoSets: (named) => `règle aussi ${named('names')}`,
  empty: () => 'vide',
  more: (named) => `… et ${named('count')} de plus ; regardez dans le fichier`,
  gone: () => 'vient de disparaître',
  unreadable: (named) => `illisible : ${named('detail')}`,
  notAFile: () => 'ce n’est pas un fichier, là où une CLI cherche ses réglages ; retirez-le',
  tooLarge: () => 'trop volumineux pour être examiné ; regardez dans le fichier',
  leadsElsewhere: (named) => `mène à ${named('path')}`,
  tooManyFiles: (named) => `plus de ${named('limit')} fichiers changent ce qui tourne ; retirez les inutiles`,
}
