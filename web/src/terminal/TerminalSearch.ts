import { type ISearchOptions, SearchAddon } from '@xterm/addon-search'
import type { Terminal } from '@xterm/xterm'
import { createStore, type StoreApi } from 'zustand/vanilla'

const MOST_MARKED = 1000

export interface Found {
  /** From 1 on, counted from the top; null where there are too many to count. */
  place: number | null
  count: number
  isMore: boolean
}

/** Finds text on the screen and in the scrollback, and marks all of it: what is written while it is open, too. */
export class TerminalSearch {
  readonly found: StoreApi<Found | null> = createStore<Found | null>(() => null)
  readonly #terminal: Terminal
  readonly #element: Element
  /** Somebody looks for what is above the screen, too. */
  readonly #onSought: () => void
  readonly #addon = new SearchAddon({ highlightLimit: MOST_MARKED })

  constructor(terminal: Terminal, element: Element, onSought: () => void) {
    this.#onSought = onSought
    this.#terminal = terminal
    this.#element = element
    terminal.loadAddon(this.#addon)
    this.#addon.onDidChangeResults(({ resultIndex, resultCount }) =>
      this.found.setState(
        { place: resultIndex < 0 ? null : resultIndex + 1, count: resultCount, isMore: resultCount >= MOST_MARKED },
        true,
      ),
    )
  }

  /**
   * The one nearest to the end: what a person looks for was mostly said just now. From nothing, for the addon keeps its
   * matches where the text is the same and only the case matters otherwise.
   */
  begin(text: string, isCaseSensitive: boolean): void {
    this.end()
    if (text === '') return
    this.#onSought()
    this.previous(text, isCaseSensitive)
  }

  next(text: string, isCaseSensitive: boolean): void {
    this.#addon.findNext(text, this.#options(isCaseSensitive))
  }

  previous(text: string, isCaseSensitive: boolean): void {
    this.#addon.findPrevious(text, this.#options(isCaseSensitive))
  }

  end(): void {
    this.#addon.clearDecorations()
    this.#terminal.clearSelection()
    this.found.setState(null, true)
  }

  #options(isCaseSensitive: boolean): ISearchOptions {
    const style = getComputedStyle(this.#element)
    const token = (name: string) => style.getPropertyValue(`--${name}`).trim()
    return {
      caseSensitive: isCaseSensitive,
      decorations: {
        matchBackground: token('term-match'),
        matchOverviewRuler: token('term-match-line'),
        activeMatchBackground: token('term-match-now'),
        activeMatchBorder: token('term-match-line'),
        activeMatchColorOverviewRuler: token('term-match-line'),
      },
    }
  }
}
