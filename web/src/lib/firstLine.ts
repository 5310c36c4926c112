/** Of a text that is named in a list: its first line that says something. Never what a decision is made on. */
export function firstLine(text: string): string {
  return text.trim().split('\n', 1)[0] ?? ''
}
