/** Under which terminals the person has a box for messages, by node id. */

import { createStore } from 'zustand/vanilla'

export const messageBarStore = createStore<ReadonlySet<string>>(() => new Set())

export function openMessageBar(nodeId: string): void {
  messageBarStore.setState((open) => new Set(open).add(nodeId), true)
}

export function closeMessageBar(nodeId: string): void {
  messageBarStore.setState((open) => new Set([...open].filter((one) => one !== nodeId)), true)
}
