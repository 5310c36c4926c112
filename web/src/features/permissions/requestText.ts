import { segmentsOf } from '../../lib/visibleText'
import type { Permission } from '../../wire/shapes'

const MOST_HEADING_CHARS = 200
/** Three lines of a cell. */

/**
 * What is asked, in a line or few and at any length: a title that is a text itself, or in which something is not seen,
 * stands where the long text scrolls.
 */
export function requestText({ title, detail }: Pick<Permission, 'title' | 'detail'>): {
  title: string
  detail: string
} {
  const isPlain = !title.includes('\n') && segmentsOf(title).every(({ kind }) => kind === 'text')
  if (isPlain && title.length <= MOST_HEADING_CHARS) return { title, detail }
  return { title: '', detail: detail === '' || detail === title ? title : `${title}\n\n${detail}` }
}
