/** What the server has of the layout in view, what was done here besides and is still to be saved, and what others saved. */

import { debounce } from '../../lib/debounce'
import { Owned } from '../../lib/lifecycle'
import { uuid } from '../../lib/uuid'
import { whenSaveIsDue } from '../../state/layouts'
import { postFailure } from '../../state/notices'
import { projectStore } from '../../state/project'
import { api } from '../../wire/api'
import { isUnreached } from '../../wire/outcome'
import type { Layout } from '../../wire/shapes'
import type { Words } from '../../words/en'
import { type Arranged, isSameArranged, mergedLayout } from './layoutMerge'

const SAVE_AFTER_MS = 600

interface SavingOptions {
  projectId: string
  words: () => Words
  /** As it is on the screen now. */
  present: () => Arranged
  /** To be shown from now on, as nobody's change here. */
  show: (arranged: Arranged) => void
}

/** Counted, so that an answer to a save of an earlier one is known as such. */
interface Base {
  arranged: Arranged
  number: number
}

interface DueSave {
  name: string
  arranged: Arranged
  version: string
  base: number
}

export class LayoutSaving {
  readonly #options: SavingOptions
  /** This grid, so that it does not take its own saving for another's. */
  readonly #origin = uuid()
  readonly #owned = new Owned()
  readonly #saveSoon = debounce(() => {
    this.#saving = this.#save()
  }, SAVE_AFTER_MS)
  #saving: Promise<void> = Promise.resolve()
  #underWay = 0
  /** Which of the project's layouts is shown. */
  #name: string
  /** What the server is known to have, and its version: what is here besides is still to be saved. */
  #base: Base = { arranged: { geometry: '', cells: [] }, number: 0 }
  #version: string
  /** As it was looked at last; what is told again is not taken again. */
  #seen: Layout
  /** On its way to the server, or as it came from there. */
  #known: Arranged = this.#base.arranged

  /** `layout` is what is shown. */
  constructor(options: SavingOptions, layout: Layout) {
    this.#options = options
    this.#name = layout.name
    this.#version = layout.version
    this.#seen = layout
    this.#begin(layout)
    this.#owned.add(() => this.#saveSoon.flush())
    this.#owned.add(whenSaveIsDue(() => this.#saveNow()))
    this.#owned.add(projectStore.subscribe(() => this.#takeOthers()))
  }

  /** What is due is still saved. */
  close(): void {
    this.#owned.close()
  }

  /** Something may have been arranged here; true if so. */
  noteChange(): boolean {
    const isChanged = !isSameArranged(this.#options.present(), this.#known)
    if (isChanged) this.#saveSoon()
    return isChanged
  }

  /** What is shown now is nobody's change here: it waits for the first one that is. */
  remember(): void {
    this.#known = this.#options.present()
  }

  /** What is shown is what the server has. */
  #begin({ name, version }: Layout): void {
    this.#name = name
    this.#version = version
    this.remember()
    this.#base = { arranged: this.#known, number: this.#base.number + 1 }
  }

  #saveNow(): Promise<void> {
    this.#saveSoon.flush()
    return this.#saving
  }

  /** What is here now is sent when the save before it is answered. */
  #save(): Promise<void> {
    this.remember()
    const due = { name: this.#name, arranged: this.#known, version: this.#version, base: this.#base.number }
    this.#underWay += 1
    return this.#saving
      .then(() => this.#send(due))
      .finally(() => {
        this.#underWay -= 1
      })
  }

  async #send({ name, arranged, version, base }: DueSave): Promise<void> {
    const { projectId, words } = this.#options
    const isOfPresent = () => this.#base.number === base
    const layout = { name, geometry: arranged.geometry, cells: [...arranged.cells] }
    // The save before this one may have made another version of the same.
    const result = await api.saveLayout(projectId, layout, isOfPresent() ? this.#version : version, this.#origin)
    if (result.ok) {
      if (!isOfPresent()) return
      this.#version = result.value.version
      this.#base = { arranged, number: base }
      return
    }
    if (result.failure.fields.why === 'layoutChanged') return isOfPresent() ? this.#redo() : undefined
    // The banner already says that the connection is lost; what is here is a change still, once it is back.
    if (isUnreached(result.failure)) {
      if (isOfPresent()) this.#known = this.#base.arranged
      return
    }
    // A layout that somebody renamed or deleted meanwhile is none any more, and the page is told so.
    if (result.failure.code === 'NOT_FOUND') return
    postFailure(words().cell.layoutNotSaved, result.failure)
  }

  #takeOthers(): void {
    const project = projectStore.getState().get(this.#options.projectId)
    if (project === undefined || project.layout === this.#seen) return
    const { layout } = project
    this.#seen = layout
    const isOther = layout.name !== this.#name
    if (!isOther && this.#isOwn(layout, project.layoutOrigin)) {
      // After a time without a connection: what could not be sent is still due.
      this.noteChange()
      return
    }
    if (isSameArranged(layout, this.#options.present())) {
      this.#saveSoon.cancel()
      return this.#begin(layout)
    }
    if (!isOther) return this.#rebase(layout)
    // What was changed in the one before is not lost for it.
    this.#saveSoon.flush()
    this.#take(layout)
  }

  /** From here, be it that its version is not known yet. */
  #isOwn({ version }: Layout, origin: string): boolean {
    if (version === this.#version || origin === this.#origin) return true
    // A snapshot does not say whose it is; who was too late with a save is told so.
    return origin === '' && this.#underWay > 0
  }

  #take(layout: Layout): void {
    this.#options.show(layout)
    this.#begin(layout)
  }

  /** The server has a newer layout than the one that was changed here: it is known already, or about to be told. */
  #redo(): void {
    const layout = projectStore.getState().get(this.#options.projectId)?.layout
    if (layout === undefined || layout.name !== this.#name || layout.version === this.#version) return
    this.#rebase(layout)
  }

  /** Shows the newer one with what was done here done again there, and saves that. */
  #rebase(layout: Layout): void {
    this.#saveSoon.cancel()
    const present = this.#options.present()
    if (isSameArranged(present, this.#base.arranged)) return this.#take(layout)
    const merged = mergedLayout(this.#base.arranged, present, layout)
    this.#options.show(merged)
    this.#begin(layout)
    this.#base = { ...this.#base, arranged: layout }
    if (!isSameArranged(merged, layout)) this.#saveSoon()
  }
}
