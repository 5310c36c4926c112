/** Where this page stands with the server. */

import { createStore } from 'zustand/vanilla'
import type { LinkPhase } from '../wire/link'

export type ConnectionPhase =
  | LinkPhase
  | { name: 'locked'; reason: 'noCredential' | 'revoked' | 'codeRefused' | 'unreachable' }

export interface Connection {
  phase: ConnectionPhase
  /** True once a snapshot arrived: the page has something to show. */
  hasState: boolean
  /** The server's clock minus this browser's, in milliseconds. */
  clockSkewMs: number
}

export const connectionStore = createStore<Connection>(() => ({
  phase: { name: 'connecting' },
  hasState: false,
  clockSkewMs: 0,
}))

/** The server's time, UTC epoch milliseconds. */
export function serverNow(): number {
  return Date.now() + connectionStore.getState().clockSkewMs
}
