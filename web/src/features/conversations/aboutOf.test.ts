import { expect, it } from 'vitest'
import { aboutOf } from './aboutOf'

it.each([
  ['Bash', 'Bash: npm test', 'npm test'],
  ['Read', 'Read src/x.py', 'src/x.py'],
  ['idea_ask_agent', 'idea_ask_agent → QA', '→ QA'],
  ['Shell', '$ echo hi', '$ echo hi'],
  ['make', 'makefile is read', 'makefile is read'],
  ['TodoWrite', 'TodoWrite', ''],
])('says what %s works on without its name', (tool, summary, about) => {
  expect(aboutOf({ tool, summary })).toBe(about)
})
