import { type RefObject, useLayoutEffect } from 'react'
import { focusAgain } from '../../ui/focus'

/** The places in which one request follows another. */
const PLACES = '.cell-body, .asks, .ask-cards, .split'

/** When a request that has the focus goes away, the next one in its place gets it, else where one writes. */
export function useFocusGoesOn(request: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const element = request.current
    return () => {
      if (element === null || !element.contains(document.activeElement)) return
      const place = element.closest(PLACES)
      // Once it is gone, and what takes its place is there.
      queueMicrotask(() => {
        if (!element.isConnected) focusAgain(nextOf(place) ?? whereOneWrites(place))
      })
    }
  }, [request])
}

function nextOf(place: Element | null): HTMLElement | null {
  return place?.isConnected ? place.querySelector<HTMLElement>('[data-request]') : null
}

/** In the same cell, else in the one in use. */
function whereOneWrites(place: Element | null): HTMLElement | null {
  const active = document.querySelector('.dv-active-group') ?? document
  return (place?.isConnected ? place : active).querySelector('textarea') ?? active.querySelector('textarea')
}
