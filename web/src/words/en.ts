/** Every word of the page in English, by areas. `fr.ts` has the same keys; the compiler and a test hold them together. */

import { agents } from './en/agents'
import { cells } from './en/cells'
import { common } from './en/common'
import { projects } from './en/projects'
import { sessions } from './en/sessions'
import { work } from './en/work'

export const en = { ...common, ...agents, ...sessions, ...work, ...projects, ...cells }
export type Words = typeof en
