/** Whether IdeA is there, and lets this browser in. */

export const connection = {
  locked: {
    title: 'This browser has no key to IdeA',
    noCredential: 'IdeA opens only for browsers that came through a start link.',
    revoked: 'The key of this browser was revoked, or the server no longer knows it.',
    codeRefused: 'This start link was already used, or it is older than 60 seconds.',
    unreachable: 'The server did not answer.',
    how: 'Make a new link in a terminal and open it here:',
    command: 'idea link',
    howRun: 'Or, where it was started with make run, in the same folder:',
    commandRun: '.venv/bin/idea link',
    printed: 'The terminal in which IdeA runs names the exact command below its address.',
  },

  connection: {
    connecting: 'Connecting…',
    online: 'Connected',
    lost: 'Connection lost',
    lostSince: {
      broken: (time: string) => `Connection lost at ${time}.`,
      ended: (time: string) =>
        `IdeA was stopped at ${time}. Start it with idea; if another server took over, idea link gives its address.`,
      silent: (time: string) => `IdeA has not answered since ${time}.`,
    },
    agentsGoOn: 'Agents work on.',
    retryingIn: (seconds: number) => `Retrying in ${seconds} s.`,
    retryingNow: 'Retrying now.',
    retryNow: 'Retry now',
    offline: 'The server was not reached.',
    offlineAdvice: 'The page reconnects by itself; try again then.',
    unanswered: 'IdeA did not answer. It may have done it, or do it later.',
    unansweredAdvice: 'See what became of it before you try again.',
  },
}
