// @vitest-environment jsdom
import { expect, it } from 'vitest'
import { project, snapshot } from '../testing/builders'
import { closeDialog, openDialog, selectionStore } from './selection'
import { askForApproval } from './trust'
import { takeSnapshot } from './world'

const NOTHING_YET = { agents: [], delegations: [], permissions: [], notices: [] }
const OPEN = snapshot({ projects: [{ ...project(), ...NOTHING_YET, resumable: [], broken: [] }] })

it('closes the dialog of a project that is gone, so that nothing waits for its answer', async () => {
  takeSnapshot(OPEN)
  const approval = askForApproval('p')

  takeSnapshot(snapshot())
  expect(await approval).toBe(false)

  takeSnapshot(OPEN)
  openDialog({ name: 'shortcuts' })
  takeSnapshot(snapshot())
  expect(selectionStore.getState().dialog).toEqual({ name: 'shortcuts' })
  closeDialog()
})
