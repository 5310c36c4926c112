const FIRST_MS = 500
const LONGEST_MS = 15_000

/** Milliseconds before try number `attempt` (from 0): doubles, bounded, with jitter so that many tabs do not return at once. */
export function backoffMs(attempt: number, random: () => number = Math.random): number {
  const full = Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(attempt, 10))
  return Math.round(full * (0.5 + random() / 2))
}
