import { type RefObject, useCallback, useLayoutEffect, useRef, useState } from 'react'

const NEAR_PX = 48
const INPUT_LASTS_MS = 600
/** A wheel or a key scrolls for so long; what moves later is the content's own doing. */

interface StickToEnd {
  box: RefObject<HTMLDivElement | null>
  isAtEnd: boolean
  onScroll: () => void
  toEnd: () => void
}

/** Keeps a scrolled box at its end while the reader is there; only the reader's own hand lets go. */
export function useStickToEnd(): StickToEnd {
  const box = useRef<HTMLDivElement>(null)
  const sticks = useRef(true)
  const handUntil = useRef(0)
  const [isAtEnd, setIsAtEnd] = useState(true)

  const toEnd = useCallback(() => {
    sticks.current = true
    setIsAtEnd(true)
    const element = box.current
    if (element !== null) element.scrollTop = element.scrollHeight
  }, [])

  const onScroll = useCallback(() => {
    const element = box.current
    // Hidden it has no height, so its end is everywhere.
    if (element === null || element.clientHeight === 0) return
    const isNear = element.scrollHeight - element.scrollTop - element.clientHeight < NEAR_PX
    // Content that grows or shrinks moves the end away, too.
    const isByHand = performance.now() < handUntil.current
    sticks.current = isNear || (sticks.current && !isByHand)
    setIsAtEnd(sticks.current)
  }, [])

  useLayoutEffect(() => {
    const element = box.current
    const content = element?.firstElementChild
    if (!element || !content) return
    const observer = new ResizeObserver(() => {
      if (sticks.current) element.scrollTop = element.scrollHeight
    })
    observer.observe(content)
    observer.observe(element)
    const unwatch = watchHand(element, (untilMs) => {
      handUntil.current = untilMs
    })
    return () => {
      observer.disconnect()
      unwatch()
    }
  }, [])

  return { box, isAtEnd, onScroll, toEnd }
}

/** Tells until when a scroll counts as the reader's: while a button is held on the scroll bar, without end. */
function watchHand(element: HTMLElement, tell: (untilMs: number) => void): () => void {
  let isHeld = false
  const touched = () => tell(performance.now() + INPUT_LASTS_MS)
  const held = () => {
    isHeld = true
    tell(Number.POSITIVE_INFINITY)
  }
  const released = () => {
    if (isHeld) touched()
    isHeld = false
  }
  const brief = ['wheel', 'touchmove', 'keydown'] as const
  for (const name of brief) element.addEventListener(name, touched, { passive: true })
  element.addEventListener('pointerdown', held)
  window.addEventListener('pointerup', released)
  return () => {
    for (const name of brief) element.removeEventListener(name, touched)
    element.removeEventListener('pointerdown', held)
    window.removeEventListener('pointerup', released)
  }
}
