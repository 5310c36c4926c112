/** Every word of the page in English, by areas. `fr.ts` has the same keys; the compiler and a test hold them together. */

import { agents } from './en/agents'
import { brief } from './en/brief'
import { cells } from './en/cells'
import { connection } from './en/connection'
import { notices } from './en/notices'
import { page } from './en/page'
import { projects } from './en/projects'
import { sessions } from './en/sessions'
import { work } from './en/work'

export const en = {
  ...page,
  ...connection,
  ...notices,
  ...brief,
  ...agents,
  ...sessions,
  ...work,
  ...projects,
  ...cells,
}
export type Words = typeof en
