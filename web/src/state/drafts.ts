/** Unsent text by agent: it outlives the cell it was written in. Not reactive, the composer owns what is shown. */

const drafts = new Map<string, string>()

export function draftOf(agentId: string): string {
  return drafts.get(agentId) ?? ''
}

export function keepDraft(agentId: string, text: string): void {
  if (text === '') drafts.delete(agentId)
  else drafts.set(agentId, text)
}
