/** Beginning, taking up and giving away sessions. */

import { many } from './many'

export const sessions = {
  refused: {
    title: (name: string) => `${name} cannot go on with its conversation`,
    said: (words: string) => `Its CLI says: ${words}`,
    other: 'Its CLI took up another conversation, so IdeA ended it.',
    primed: 'Start afresh with the transcript',
    empty: 'Start empty',
    again: 'Try again',
  },

  earlier: {
    title: (name: string) => `Attach ${name} to an earlier conversation`,
    lead: (cli: string) =>
      `What ${cli} keeps of this folder, whoever began it. The agent goes on with the one you choose.`,
    none: (cli: string) => `${cli} keeps no conversation of this folder.`,
    noWords: 'Nothing said yet',
    about: (when: string, size: string) => `${when} · ${size}`,
    size: (kib: number) => (kib < 1024 ? `${kib} KB` : `${Math.round(kib / 1024)} MB`),
    isOwn: 'its conversation now',
    ofAgent: (name: string) => `${name}’s`,
    notListed: 'The conversations were not loaded',
    notAttached: 'The agent keeps its conversation',
  },

  mark: {
    empty: 'A new conversation: the agent does not know what stands above',
    terminal: 'The conversation went on in the terminal; what was said there is not shown',
    beside: 'Beside its terminal it could not go on where it was, and was given the end of what was said',
    attached: 'An earlier conversation of its CLI goes on from here',
    primed: 'A new conversation: the agent was given the end of what stands above',
  },

  ending: {
    agents: (n: number) => (n === 0 ? 'no agent runs' : `stops ${many(n, 'agent', 'agents')}`),
    turns: (n: number) => `breaks off ${many(n, 'turn', 'turns')}`,
    waiting: (n: number) => `leaves ${many(n, 'waiting message', 'waiting messages')} undelivered`,
  },

  launch: {
    failed: (name: string) => `${name} did not start`,
    notSwitched: (name: string) => `${name} stays in its view`,
    stopFailed: (name: string) => `${name} did not stop`,
    survivors: (n: number) => `${many(n, 'process', 'processes')} of it still run.`,
    elsewhere: (name: string) => `${name} is already running in another cell`,
    background: (name: string) => `${name} is already running in the background`,
    elsewhereDetail: 'One agent, one session: go to that cell, or move it here.',
  },

  resume: {
    ran: (names: string, n: number) => `${names} ${n === 1 ? 'was' : 'were'} running before.`,
    unable: (names: string) => `${names} cannot be resumed.`,
    all: (n: number) => (n === 1 ? 'Resume 1 agent' : `Resume ${n} agents`),
    one: (name: string) => `Resume ${name}`,
    button: 'Resume',
    pending: 'Resuming…',
    choose: 'Choose…',
    notNow: 'Not now',
    title: 'Agents that were running',
    lead: 'They go on with their conversations. Left stopped, they do so when you start them.',
    none: 'Nothing is left to resume.',
    since: (time: string) => `since ${time}`,
    startInstead: 'Start it in its cell instead.',
    always: 'From now on resume them without asking',
    notResumed: 'They were not resumed',
    notLeft: 'The offer is still open',
  },
}
