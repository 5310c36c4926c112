/** The terminals that are drawn now, by node id: what else is on the page reaches them here. */

import { createStore } from 'zustand/vanilla'
import type { TerminalController } from './TerminalController'

export const shownTerminals = createStore<ReadonlyMap<string, TerminalController>>(() => new Map())

export function showTerminal(nodeId: string, controller: TerminalController): void {
  shownTerminals.setState((all) => new Map(all).set(nodeId, controller), true)
}

export function hideTerminal(nodeId: string): void {
  shownTerminals.setState((all) => new Map([...all].filter(([one]) => one !== nodeId)), true)
}
