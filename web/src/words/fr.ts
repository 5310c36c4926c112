/** Every word of the page in French, by the same areas. */

import type { Words } from './en'
import { agents } from './fr/agents'
import { cells } from './fr/cells'
import { common } from './fr/common'
import { projects } from './fr/projects'
import { sessions } from './fr/sessions'
import { work } from './fr/work'

export const fr: Words = { ...common, ...agents, ...sessions, ...work, ...projects, ...cells }
