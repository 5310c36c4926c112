/** The command that a sentence quotes between backticks; null if it quotes none. */
export function commandIn(sentence: string): string | null {
  return /`([^`]+)`/.exec(sentence)?.[1] ?? null
}
