// @vitest-environment jsdom
import '../testing/drawnNothing'
import { createDockview } from 'dockview-react'
import { expect, it } from 'vitest'
import { agentStore } from '../state/agents'
import { projectStore } from '../state/project'
import { agent, project } from '../testing/builders'
import { answerWith } from '../testing/fakeServer'
import { en } from '../words/en'
import { LEAST_PX } from './Arrangement'
import { GridController } from './GridController'

it.each([
  ['right', 'width'],
  ['below', 'height'],
] as const)('splits a cell to the %s as long as both halves can be read, and then no more', (side, measure) => {
  answerWith({})
  agentStore.setState(new Map([['main', agent('Main')]]), true)
  projectStore.setState(new Map([['p', project()]]), true)
  const createComponent = () => ({ element: document.createElement('div'), init: () => {} })
  const grid = createDockview(document.createElement('div'), { createComponent })
  grid.layout(1200, 700)
  const controller = new GridController(grid, 'p', () => en)

  while (controller.canSplit('main', side)) controller.split('main', side)
  const count = grid.groups.length
  controller.split('main', side)

  expect(count).toBeGreaterThan(1)
  expect(grid.groups.length).toBe(count)
  for (const group of grid.groups) expect(group.api[measure]).toBeGreaterThanOrEqual(LEAST_PX[measure])
  controller.close()
  grid.dispose()
})
