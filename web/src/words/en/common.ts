/** What belongs to no area of its own. */

import { many } from './many'

export const common = {
  areas: 'Main areas',
  cells: 'Cells',
  agents: 'Agents',
  agent: 'Agent',
  projects: 'Projects',
  settings: 'Settings',
  shortcuts: 'Keyboard shortcuts',
  status: 'Status',
  close: 'Close',
  cancel: 'Cancel',
  save: 'Save',
  delete: 'Delete',
  retry: 'Try again',
  back: 'Back to the list',
  more: 'More',
  copy: 'Copy',
  copied: 'Copied',
  copyCode: 'Copy code',
  copyCommand: (name: string) => `Copy the command for ${name}`,
  dismiss: 'Dismiss',
  you: 'You',
  file: 'File',
  notices: 'Notices',
  loading: 'Loading…',

  locked: {
    title: 'This browser has no key to IdeA',
    noCredential: 'IdeA opens only for browsers that came through a start link.',
    revoked: 'The key of this browser was revoked, or the server no longer knows it.',
    codeRefused: 'This start link was already used, or it is older than 60 seconds.',
    unreachable: 'The server did not answer.',
    how: 'Make a new link in a terminal and open it here:',
    command: 'idea link',
  },

  connection: {
    connecting: 'Connecting…',
    online: 'Connected',
    lost: 'Connection lost',
    lostSince: (time: string) => `Connection lost at ${time}.`,
    agentsGoOn: 'Agents work on.',
    retryingIn: (seconds: number) => `Retrying in ${seconds} s.`,
    retryingNow: 'Retrying now.',
    retryNow: 'Retry now',
    offline: 'The server was not reached.',
    offlineAdvice: 'The page reconnects by itself; try again then.',
  },

  counts: {
    needYou: (n: number) => `${n} ${n === 1 ? 'needs' : 'need'} you`,
    agents: (n: number, working: number) =>
      working > 0 ? `${many(n, 'agent', 'agents')}, ${working} working` : many(n, 'agent', 'agents'),
    queued: (n: number) => `${n} waiting in queues`,
    limited: (n: number, until: string | null) => (until === null ? `${n} limited` : `${n} limited until ${until}`),
  },

  theme: {
    label: 'Theme',
    choose: 'Change theme',
    system: 'As the system',
    light: 'Light',
    dark: 'Dark',
    contrast: 'High contrast, dark',
    'contrast-light': 'High contrast, light',
  },
  language: { name: 'English', choose: 'Language: English' },
  noProfile: (id: string) => `Its CLI “${id}” is unknown: edit the agent and choose another`,
  worksFor: (name: string) => `Works for ${name}`,
  worksForYou: 'Works for you',
  reasonWith: (reason: string, detail: string) => `${reason}: ${detail}`,
  belief: (reason: string, source: string, age: string) => `${reason} · ${source}, ${age} ago`,

  age: {
    seconds: (n: number) => `${n} s`,
    minutes: (n: number) => `${n} min`,
    minutesAndSeconds: (m: number, s: string) => `${m} min ${s}`,
    hours: (n: number) => `${n} h`,
    days: (n: number) => `${n} d`,
  },

  keys: {
    needs: 'Go to the first thing that needs you',
    focus: 'Focus cell 1 … 9, also out of a terminal, which keeps Tab for its program',
    newLine: 'New line in a message',
    send: 'Send the message',
    history: 'Your earlier messages, in an empty box',
    walk: 'Next, previous, go to its cell, on the page of what needs you',
    answer: 'Allow once, allow for the session, deny, there and in a request',
    hide: 'Hide the sheet over a terminal',
    clipboard: 'Copy and paste in a terminal',
    find: 'Search in a terminal; with Shift also in a program that has the whole screen',
    mark: 'Select in a terminal by keys',
    zoom: 'Larger, smaller, usual text in terminals',
    space: 'Space',
    command: 'Cmd',
    maximise: 'Maximise or restore the focused cell',
    layouts: 'Layouts',
    help: 'This list',
    enter: 'Enter',
    shift: 'Shift',
    escape: 'Esc',
  },

  notice: {
    /** By the notice's code; about an agent's file name or a project's path. */
    title: {
      sessionLost: (slug: string) => `${slug} ended while IdeA was away`,
      spontaneousTurn: (slug: string) => `${slug} spoke without being asked`,
      fileTrouble: () => 'A file of this project could not be used',
      screenLost: (slug: string) => `The terminal of ${slug} begins empty`,
      keeperLost: () => 'Agents of this project have ended',
      projectEnded: (path: string) => `${path} was closed because it failed`,
    },
    other: 'Something to know',
    openAgain: 'Open it again.',
    isKept:
      'Your agents go on, and what they say is kept until it can be written. Free space on the disk and keep IdeA running, or it is lost.',
  },
}
