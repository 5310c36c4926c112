/**
 * Where the person is in the page: focus, selection, scroll positions. An element that is moved in the document
 * loses all of them; here they are given back before the next key can arrive. The focus also to what takes its place
 * where the page is drawn anew, narrow instead of wide or after a reload.
 */

import { Owned } from '../lib/lifecycle'
import { keepForTab, keptForTab } from '../lib/tabStorage'

interface Position {
  top: number
  left: number
}

/** Enough to find it again where it was built anew. */
interface Focused {
  /** Null after a reload. */
  element: HTMLElement | null
  tag: string
  label: string | null
}

const KEY = 'idea.focus'

export class Whereabouts {
  readonly #host: HTMLElement
  readonly #owned = new Owned()
  readonly #observer: MutationObserver
  readonly #scrolled = new WeakMap<Element, Position>()
  #focused: Focused | null = null
  #selected: StaticRange | null = null

  constructor(host: HTMLElement) {
    this.#host = host
    const document = host.ownerDocument
    // Its callback runs when the script that moved something has ended, so before any other event.
    this.#observer = new MutationObserver((records) => this.#giveBack(records))
    this.#observer.observe(host, { childList: true, subtree: true })
    this.#owned.add(() => this.#observer.disconnect())
    this.#listen(host, 'scroll', (event) => this.#keepScroll(event.target))
    this.#listen(host, 'focusout', () => queueMicrotask(() => this.#forget()))
    this.#listen(document, 'focusin', (event) => this.#keepFocus(event.target))
    this.#listen(document, 'selectionchange', () => this.#keepSelection())
    this.#keepFocus(document.activeElement)
  }

  dispose(): void {
    this.#owned.close()
  }

  /** The same place has the focus again in the page that this tab shows next, unless the person turns elsewhere first. */
  outliveReload(): void {
    this.#focused ??= keptFocus()
    this.#listen(document, 'pointerdown', () => {
      if (this.#focused?.element === null) this.#focused = null
    })
    this.#listen(window, 'pagehide', () => {
      const { tag, label } = this.#focused ?? { tag: '', label: null }
      keepForTab(KEY, label === null ? null : { tag, label })
    })
  }

  #listen(on: EventTarget, type: string, listener: (event: Event) => void): void {
    on.addEventListener(type, listener, { capture: true, passive: true })
    this.#owned.add(() => on.removeEventListener(type, listener, { capture: true }))
  }

  #keepScroll(target: EventTarget | null): void {
    // One that is hidden is at zero for nobody.
    if (!(target instanceof Element) || target.clientHeight === 0 || target.clientWidth === 0) return
    this.#scrolled.set(target, { top: target.scrollTop, left: target.scrollLeft })
  }

  #keepFocus(target: EventTarget | null): void {
    const isHere = target instanceof HTMLElement && this.#host.contains(target)
    this.#focused = isHere ? { element: target, tag: target.tagName, label: target.ariaLabel } : null
  }

  /** A person who leaves for no other place stays away. What was moved is given back first: then nobody left. */
  #forget(): void {
    this.#giveBack(this.#observer.takeRecords())
    const isNowhere = document.activeElement === document.body
    if (isNowhere && this.#focused?.element?.isConnected === true) this.#focused = null
  }

  #keepSelection(): void {
    const selection = document.getSelection()
    const range = selection === null || selection.rangeCount === 0 ? null : selection.getRangeAt(0)
    const isHere = range !== null && !range.collapsed && this.#host.contains(range.commonAncestorContainer)
    this.#selected = isHere ? new StaticRange(range) : null
  }

  /** Whatever is known in what came in has been here before: it was moved, alone or within something else. */
  #giveBack(records: readonly MutationRecord[]): void {
    const added = new Set(records.flatMap(({ addedNodes }) => [...addedNodes]))
    for (const node of added) {
      if (!(node instanceof Element) || !node.isConnected) continue
      this.#scroll(node)
      this.#select(node)
    }
    if (added.size > 0) this.#focus()
  }

  #scroll(moved: Element): void {
    for (const element of [moved, ...moved.querySelectorAll('*')]) {
      const position = this.#scrolled.get(element)
      if (position === undefined) continue
      element.scrollTop = position.top
      element.scrollLeft = position.left
    }
  }

  #select(moved: Element): void {
    const range = this.#selected
    const selection = document.getSelection()
    if (range === null || selection === null || !selection.isCollapsed) return
    const { startContainer, startOffset, endContainer, endOffset } = range
    if (!moved.contains(startContainer) || !endContainer.isConnected) return
    selection.setBaseAndExtent(startContainer, startOffset, endContainer, endOffset)
  }

  /** Only what nothing else has taken meanwhile, and only to the same place: keys must never go to another one. */
  #focus(): void {
    if (this.#focused === null || document.activeElement !== document.body) return
    const { element, tag, label } = this.#focused
    const place = element?.isConnected === true ? element : this.#sameIn(tag, label)
    if (place === undefined) return
    place.focus({ preventScroll: true })
    if (element !== null && place !== element) takeCaret(place, element)
  }

  #sameIn(tag: string, label: string | null): HTMLElement | undefined {
    if (label === null) return undefined
    const same = [...this.#host.querySelectorAll<HTMLElement>(tag)].filter((one) => one.ariaLabel === label)
    return same.length === 1 ? same[0] : undefined
  }
}

/** A box that was built anew would begin at its first letter. */
function takeCaret(to: HTMLElement, from: HTMLElement): void {
  if (!(to instanceof HTMLTextAreaElement) || !(from instanceof HTMLTextAreaElement)) return
  if (to.value === from.value) to.setSelectionRange(from.selectionStart, from.selectionEnd, from.selectionDirection)
}

function keptFocus(): Focused | null {
  const kept = keptForTab(KEY)
  if (typeof kept !== 'object' || kept === null) return null
  const { tag, label }: { tag: unknown; label: unknown } = { tag: null, label: null, ...kept }
  return typeof tag === 'string' && typeof label === 'string' ? { element: null, tag, label } : null
}
