/** What a terminal has to say beside its screen; drawn around it by the cell. */

import { createStore, type StoreApi } from 'zustand/vanilla'
import type { Offer } from './clipboardOffers'

/** Why a text was not pasted: it is longer than a terminal is given at once, or the program reads nothing. */
export type PasteRefusal = 'tooLong' | 'notRead'

export interface TerminalFace {
  /** Null while the person sees the end; else how many lines came since they scrolled up. */
  linesBelow: number | null
  /** Where the link under the pointer leads. */
  link: string | null
  /** It rang, and the person has not turned to it since. */
  hasRung: boolean
  /** The program wants this in the clipboard: only the person can put it there. */
  offer: Offer | null
  /** Several lines for a program that would carry out each at once: only the person can say so. */
  paste: string | null
  refusal: PasteRefusal | null
  /** The search box is open. */
  isSearched: boolean
  /** Keys choose a piece of text. */
  isMarking: boolean
}

export type FaceStore = StoreApi<TerminalFace>

export function createFace(): FaceStore {
  return createStore<TerminalFace>(() => ({
    linesBelow: null,
    link: null,
    hasRung: false,
    offer: null,
    paste: null,
    refusal: null,
    isSearched: false,
    isMarking: false,
  }))
}
