/** Why something was refused or failed, by the server's keys, in English. `fr/why.ts` has the same keys. */

import { atLine, exitOf, type Named, withPid } from '../named'
import { many } from './many'

export const why = {
  messageEmpty: () => 'The message is empty.',
  messageTooLong: (named: Named) => `The message is too long: at most ${named('limit')} characters.`,
  timeoutOutOfRange: (named: Named) => `The time limit must be more than 0 and at most ${named('limit')} seconds.`,
  turnEnded: () => 'This turn has ended already.',
  queueFull: (named: Named) => `${named('limit')} turns are waiting already.`,
  runsAsTerminal: (named: Named) =>
    `${named('agent')} runs as a terminal, in which only a person writes. Switch its cell to the chat, or stop it.`,
  aloneInTerminal: (named: Named) =>
    `${named('agent')} runs as a terminal, in which only a person writes, and its settings keep it to that. Switch its cell to the chat, stop it, or let it answer beside its terminal.`,
  stillInTurn: (named: Named) => `${named('agent')} is still in a turn.`,
  endedUnseen: () => 'it ended while no server was there to see it',
  endedWithKeeper: () => 'the process that holds the agents ended, and it with it',
  strayTakenUp: () => 'IdeA had no record of it; it goes on as it is',
  strayEnded: () => 'IdeA had no record of it and could not go on with it, so it was ended',
  agentDeleted: () => 'it was deleted',
  ended: (named: Named) => `its process ended, ${exitOf(named)}`,
  endedBeforeMessage: () => 'its CLI ended before it took the message',
  faultOfIdea: () => 'a fault of IdeA',
  personsAlone: () => 'A program of an agent asked this, and it is for a person to do.',
  serverEnded: () => 'the server was stopped during this ask',

  runsAlready: (named: Named) => `${named('agent')} is running. Stop it before you start it afresh.`,
  runsInOtherView: (named: Named) => `${named('agent')} is running in its other view. Stop it before you switch.`,
  runsOnAnotherServer: (named: Named) =>
    `${named('agent')} already runs on another IdeA server${withPid(named)}. Stop it there first.`,
  otherConversation: (named: Named) => `it went on with another one, ${named('other')}`,
  noTranscript: (named: Named) => `IdeA has no transcript of ${named('agent')}. Start it empty.`,
  turnRuns: (named: Named) => `${named('agent')} is in a turn. Wait until it has ended, or stop the turn.`,
  cannotResumeInView: (named: Named) =>
    `${named('profile')} cannot go on with a conversation in that view. Stop ${named('agent')}, and start it there anew.`,
  conversationUnclear: (named: Named) =>
    `Several conversations of ${named('profile')} began here since ${named('agent')} did, and IdeA cannot tell which is its.`,
  conversationTaken: (named: Named) => `This conversation is ${named('agent')}’s.`,
  conversationsUnknown: (named: Named) => `IdeA does not know where ${named('profile')} keeps its conversations.`,
  cannotPrime: (named: Named) =>
    `${named('profile')} takes no instructions at its start, so it cannot be told what was said.`,
  noTerminalView: (named: Named) => `${named('profile')} has no terminal view. Use the chat.`,
  noChatView: (named: Named) => `${named('profile')} has no chat view. Use the terminal.`,
  noEngine: (named: Named) => `${named('profile')} runs in a terminal only.`,
  notOnPath: (named: Named) => `the program ${named('program')} was not found on PATH`,
  variableMissing: (named: Named) => `it needs the variable ${named('variable')}, which is not set`,
  cannotStart: (named: Named) => `${named('program')} could not be started in ${named('folder')}: ${named('detail')}`,
  endedAtOnce: (named: Named) => `it ended at once, ${exitOf(named)}`,
  notReady: (named: Named) => `it was not ready after ${named('seconds')} s`,
  stoppedWhileStarting: () => 'it was stopped while it started',
  doesNotEnd: () => 'it was stopped, but something of it does not end',
  cliInstructionsTooLong: (named: Named) =>
    `The instructions are too long for ${named('profile')}: at most ${named('limit')} bytes. Shorten them, or move parts into a file that they name.`,
  terminalDeaf: (named: Named) =>
    `${named('program')} does not read its terminal, so nothing more can be typed into it.`,
  promptTooLong: (named: Named) =>
    `A terminal takes up to ${named('kib')} KiB at a time. Put the text in a file instead.`,
  oneLineOnly: (named: Named) =>
    `${named('agent')}’s program takes no text in one piece: it would carry out each line. Send one line of at most ${named('limit')} bytes.`,
  asksInTerminal: (named: Named) => `${named('agent')} asks something in its terminal. Answer it there first.`,
  notAtPrompt: (named: Named) =>
    `${named('agent')} is not known to wait for a message at its prompt. Look at its terminal.`,
  noStartSigns: (named: Named) =>
    `${named('profile')} does not show when a turn begins, so nobody could tell whether ${named('agent')} took the message. Type it into the terminal.`,
  promptUnconfirmed: (named: Named) =>
    `${named('agent')} has not shown that a turn began. The text may stand in its input line: look at its terminal.`,

  screenUnreadable: () => 'What it showed before this server began cannot be read. Its program goes on.',

  fileBroken: (named: Named) => `${named('file')} is broken. Correct it in an editor first.`,
  fileOfAnother: (named: Named) => `${named('file')} belongs to another agent by now. Look at it again.`,
  agentChanged: (named: Named) => `${named('agent')} was changed since you began. Look at what it says now.`,
  agentNotText: () => 'It is not plain UTF-8 text. Save it as that in an editor.',
  agentNoSettings: () => 'It must begin with settings, such as “name: QA”, between two lines of three dashes (---).',
  agentNotYaml: (named: Named) =>
    `Its settings are not valid YAML${named('detail') === '' ? '' : `: “${named('detail')}”`}.`,
  agentTooMuch: () => 'Its settings are too long, too many or nested too deeply.',
  agentAnchors: () => 'Its settings must not use anchors and references (& and *).',
  agentKeyMissing: (named: Named) => `“${named('key')}” is missing.`,
  agentKeyUnusable: (named: Named) => `What “${named('key')}” says cannot be used. Correct it, or remove the line.`,
  agentPermissionsUnknown: (named: Named) => `“permissions” must be one of ${named('modes')}.`,
  agentIdInvalid: () => 'Its “id” is none. Remove the line and a new one is made.',
  agentIdTwice: (named: Named) => `It has the same “id” as ${named('file')}. Remove the line and a new one is made.`,
  agentFileName: () => 'Its file’s name must be of a-z, 0-9, - and _, at most 32, and begin with a letter or digit.',
  agentUnreadable: (named: Named) => `It cannot be read: ${named('detail')}.`,
  agentUnusable: (named: Named) => `It cannot be used: ${named('reason')}.`,
  agentIdUnwritable: (named: Named) =>
    `It has no “id”, and none could be written into it${named('detail') === '' ? '' : `: ${named('detail')}`}.`,
  nameInvalid: () =>
    'The name must have 1 to 80 visible characters, without a space at its ends, and not be “human” or “file”.',
  agentNameTaken: (named: Named) =>
    `${named('name')} could be taken for ${named('other')}, whose file is ${named('file')}. Choose another name.`,
  profileInvalid: () => 'The CLI must be the id of a profile, such as claude or codex.',
  modelInvalid: () => 'The model must be a model’s name, without a dash in front.',
  workspaceInvalid: () => 'The workspace must be a folder within the project, relative to it.',
  slugInvalid: (named: Named) => `${named('name')} cannot be a file’s name: use a-z, 0-9, - and _, at most 32.`,
  instructionsTooLong: (named: Named) =>
    `The instructions are too long: an agent’s file has at most ${named('limit')} bytes.`,
  secondsOutOfRange: (named: Named) => `A time must be a whole number of seconds, 1 to ${named('limit')}.`,
  keeperUnknown: () => 'The keeper must be process or in-process.',
  resumeUnknown: () => 'Resuming must be offer or auto.',

  layoutNameInvalid: (named: Named) =>
    `A layout’s name has 1 to ${named('limit')} characters, none of / \\ : * ? " < > |, and no dot or space at its ends.`,
  layoutChanged: (named: Named) => `Somebody changed the layout ${named('name')} at the same time.`,
  layoutNameTaken: (named: Named) => `There is a layout called ${named('name')} already. Choose another name.`,
  layoutsFull: (named: Named) => `There are ${named('limit')} layouts already. Delete one first.`,
  lastLayout: () => 'This is the last layout, and a project has at least one.',
  layoutNotShared: (named: Named) => `There is no shared ${named('name')} to take over.`,
  layoutUnusable: (named: Named) => `It cannot be used: ${named('reason')}.`,
  layoutUnreadable: (named: Named) => `It cannot be read: ${named('detail')}.`,
  layoutFileName: () => 'Its file’s name cannot be a layout’s name.',
  noConversation: () => 'It had no conversation yet that could go on.',
  cannotResume: (named: Named) => `${named('profile')} cannot take up an earlier conversation.`,
  profileGone: (named: Named) => `Its CLI ${named('profile')} is not known any more.`,
  localeUnknown: () => 'The language must be auto, en or fr.',

  fileChanged: (named: Named) => `${named('file')} has changed just now. Try again.`,
  filesChanged: () => 'The project’s files have changed since you looked at them. Look at them again.',
  cannotBeApproved: (named: Named) => `${named('file')} cannot be approved. Remove it from the project first.`,

  pathNotWhole: (named: Named) => `${named('path')} is no whole path. Name the folder from / or ~ on.`,
  noFolder: (named: Named) => `There is no folder ${named('path')}. Create it first, or name another one.`,
  notAFolder: (named: Named) => `${named('path')} is not a folder. Name the folder that contains it.`,
  folderUnusable: (named: Named) => `${named('path')} cannot be opened as a project. Name another folder.`,
  pathNotText: () => 'The folder’s name is not valid UTF-8. Rename the folder.',
  wholeMachine: (named: Named) => `${named('path')} is the whole machine and no project. Name a folder in it.`,
  folderNotWritable: (named: Named) =>
    `${named('path')} cannot be written to, and IdeA keeps its files there. Change its permissions first.`,
  linkInTheWay: (named: Named) =>
    `${named('path')} is a symbolic link; IdeA would write to where it leads. Remove it first.`,
  somethingInTheWay: (named: Named) => `${named('path')} is in the way. Rename or remove it first.`,
  openElsewhere: (named: Named) =>
    `Another IdeA server of yours${withPid(named)} has this project open. Use that one, or stop it first.`,
  holderStays: (named: Named) => `Process ${named('pid')} does not end.`,
  holderChanged: () => 'Another server has the project by now. Look again.',
  opensTooSlowly: (named: Named) => `${named('path')} took too long to open. See whether its disk answers.`,
  doesNotClose: (named: Named) =>
    `${named('path')} does not close. Stop the server, then its agents with \`idea stop\`.`,
  doesNotOpen: () => 'the project could not be opened',

  keeperEnded: () => 'The process that holds this project’s agents has ended, and they with it.',
  keeperDoesNotStart: (named: Named) =>
    `The process that holds this project’s agents cannot be started: ${named('detail')}. It is tried again whenever an agent is started.`,
  keeperDoesNotEnd: () =>
    'The process that holds this project’s agents neither answers nor ends. `idea status` names it.',
  keeperUnreachable: (named: Named) =>
    `The process that holds this project’s agents${withPid(named)} lives, but does not open its socket. Try again in a minute, or end it and them with \`idea stop\`.`,
  keeperSilent: (named: Named) =>
    `The process that holds this project’s agents${withPid(named)} does not answer.${named('pid') && ` If it was halted, \`kill -CONT ${named('pid')}\` lets it go on; \`kill -9 ${named('pid')}\` ends it, and them with it.`}`,
  keeperIsEnding: (named: Named) =>
    `The process that holds this project’s agents${withPid(named)} is ending. Try again in a moment.`,
  keeperOfOtherVersion: (named: Named) =>
    `This project’s agents are held by IdeA ${named('version')}${withPid(named)}, which this version cannot work with. End them with \`idea stop\`, or use that version.`,

  folderOfAnother: (named: Named) => `${named('path')} belongs to another user. Name another folder.`,
  nameTaken: (named: Named) => `${named('path')} exists already. Choose another name.`,
  nameUnusable: (named: Named) => `${named('name')} cannot be a file’s name.`,
  fileUnusable: (named: Named) => `${named('path')} cannot be used: ${named('detail')}.`,
  recordUnreadable: (named: Named) => `The project’s record could not be read: ${named('detail')}.`,
  recordUnwritable: (named: Named) => `The project’s record could not be written: ${named('detail')}.`,
  stateTooLarge: (named: Named) => `${named('file')} would be larger than ${named('limit')} bytes.`,
  cannotListen: (named: Named) => `IdeA cannot listen at ${named('path')}: ${named('detail')}.`,
  socketPathTooLong: (named: Named) =>
    `${named('path')} is too long a path for a socket. Set XDG_RUNTIME_DIR to a shorter one.`,

  doesNotFit: (named: Named) =>
    named('names') === '' ? 'Something in this cannot be taken.' : `This cannot be taken as it is: ${named('names')}.`,

  settingsBroken: (named: Named) =>
    `${named('file')}${atLine(named, ', line ')} cannot be read: ${named('reason')}. The defaults are used until it is corrected.`,
  settingsSetAside: (named: Named) =>
    `The earlier settings could not be read (${named('reason')}). Their file is now called ${named('name')}; the ones just saved are used.`,
  settingsUnusable: (named: Named) =>
    `Not usable in ${named('file')}: ${named('names')}. The default is used instead; correct it in the settings.`,
  settingsUnknown: (named: Named) =>
    `A project has no such settings, so they are ignored: ${named('names')} in ${named('file')}.`,
  layoutSetAside: (named: Named) =>
    `The layout could not be read (${named('reason')}). Its file is now called ${named('name')}; the cells begin anew.`,
  projectsSetAside: (named: Named) =>
    `The list of projects could not be read (${named('reason')}). Its file is now called ${named('name')}; projects are told apart anew as they are opened.`,
  recordSetAside: (named: Named) =>
    `The record of conversations could not be used (${named('reason')}). Its file is now called ${named('name')}; a new one begins.`,
  recordLogSetAside: (named: Named) =>
    `The newest of the record of conversations could not be used (${named('reason')}). Its file is now called ${named('name')}; what is older is there.`,
  stateSetAside: (named: Named) =>
    `It is not certain that what IdeA kept in ${named('path')} belongs to this project. It is now called ${named('name')}; the project begins anew.`,
  stateCopied: (named: Named) =>
    `${named('path')} is a copy of ${named('other')} and begins anew. What was copied is now called ${named('name')}.`,

  stateRemoved: (named: Named) =>
    `${named('path')} was removed while the project was open, and is made anew with what was in it: the agents, the layouts and all that was said.`,
  earlierEnded: (named: Named) =>
    `What IdeA kept in ${named('path')} had been removed while agents ran there (${named('names')}). They were ended.`,
  watchesUsedUp: (named: Named) =>
    `The system’s limit of watched files is reached, so changes by hand show after ${named('seconds')} s. Raise fs.inotify.max_user_watches or max_user_instances.`,
  folderUnwatched: (named: Named) =>
    `${named('path')} can no longer be watched: ${named('detail')}. Open the project anew.`,
  changesNotTaken: () => 'The project’s changed files could not be taken over; the server’s log says why.',
}

/** What is wrong with a file: the `reason` in a sentence about it. */
export const fault = {
  link: () => 'it is a symbolic link',
  folder: () => 'it is a folder',
  fifo: () => 'it is a FIFO',
  socket: () => 'it is a socket',
  device: () => 'it is a device',
  notAFile: () => 'it is no plain file',
  tooLarge: (named: Named) => `it is larger than ${named('limit')} bytes`,
  empty: () => 'it is empty',
  laterVersion: () => 'a later version of IdeA wrote it',
  noVersion: () => 'it does not say which version it has',
  notText: () => 'it is not UTF-8 text',
  notJson: () => 'it is not valid JSON',
  notToml: (named: Named) => `it is not valid TOML: “${named('detail')}”`,
  notOurs: () => 'it does not hold what IdeA keeps there',
  noDatabase: (named: Named) => `it is damaged: “${named('detail')}”`,
  noLog: () => 'it is not the log of this record',
}

/** What the system says, by the errno's name. */
export const errno = {
  EACCES: 'permission denied',
  EPERM: 'not permitted',
  EROFS: 'it can only be read',
  ENOSPC: 'the disk is full',
  EDQUOT: 'your share of the disk is full',
  ENOENT: 'it is not there',
  ENOTDIR: 'a part of its path is no folder',
  EISDIR: 'it is a folder',
  ELOOP: 'its links lead in a circle',
  EIO: 'the disk reports an error',
  EMFILE: 'too many files are open',
  ENFILE: 'too many files are open',
  ENAMETOOLONG: 'its name is too long',
}

/** What is said of a file where nothing of it can be quoted. */
export const trustNote = {
  runsProfile: (named: Named) =>
    `runs profile ${named('profile')}${named('model') === '' ? '' : ` with model ${named('model')}`}`,
  agentUnusable: (named: Named) => `not a usable agent file${atLine(named, ', line ')}`,
  notUnderstood: () => 'its content could not be understood; look into the file',
  notInterpreted: (named: Named) =>
    `${many(named('bytes'), 'byte', 'bytes')} that IdeA does not interpret; look into the file`,
  alsoSets: (named: Named) => `also sets ${named('names')}`,
  empty: () => 'empty',
  more: (named: Named) => `… and ${named('count')} more; look into the file`,
  gone: () => 'it went away just now',
  unreadable: (named: Named) => `it cannot be read: ${named('detail')}`,
  notAFile: () => 'it is no file, where a CLI looks for its settings; remove it',
  tooLarge: () => 'it is too large to be taken apart; look into the file',
  leadsElsewhere: (named: Named) => `it leads to ${named('path')}`,
  tooManyFiles: (named: Named) => `more than ${named('limit')} files that change what runs; remove what is not needed`,
}
