/** A text from elsewhere before it is copied or typed: what of it would act instead of being read. */

import { visible, withoutActing } from '../lib/visibleText'

/** Nothing in it acts, and its lines end in a newline. */
export function plainText(text: string): string {
  return withoutActing(withNewlines(text))
}

/** What `plainText` takes out, and what else is not seen, as it can be seen. */
export function shownText(text: string): { text: string; dropped: number } {
  const lines = withNewlines(text)
  return { text: visible(lines), dropped: lines.length - withoutActing(lines).length }
}

function withNewlines(text: string): string {
  return text.replace(/\r\n?/g, '\n')
}
