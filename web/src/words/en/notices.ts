/** What a person should know and nothing else shows. */

import { many } from './many'

export const notices = {
  notice: {
    /** By the notice's code; about agents by their names, or a project's path. */
    title: {
      sessionLost: (names: string, _count: number) => `${names} ended while IdeA was away`,
      sessionFound: (name: string) => `${name} was found running`,
      spontaneousTurn: (slug: string) => `${slug} spoke without being asked`,
      fileTrouble: () => 'A file of this project could not be used',
      screenLost: (slug: string) => `The terminal of ${slug} begins empty`,
      keeperLost: () => 'Agents of this project have ended',
      projectEnded: (path: string) => `${path} was closed because it failed`,
      projectNotOpened: (path: string) => `${path} could not be opened`,
    },
    other: 'Something to know',
    more: (n: number) => `${many(n, 'earlier notice', 'earlier notices')}`,
    allRead: 'Dismiss all',
    openAgain: 'Open it again.',
    opensByItself: 'The project opens by itself as soon as it answers.',
    isKept:
      'Your agents go on, and what they say is kept until it can be written. Free space on the disk and keep IdeA running, or it is lost.',
  },
}
