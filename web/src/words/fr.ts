/** Every word of the page in French, by the same areas. */

import type { Words } from './en'
import { agents } from './fr/agents'
import { brief } from './fr/brief'
import { cells } from './fr/cells'
import { connection } from './fr/connection'
import { notices } from './fr/notices'
import { page } from './fr/page'
import { projects } from './fr/projects'
import { sessions } from './fr/sessions'
import { work } from './fr/work'

export const fr: Words = {
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
