import { type RefObject, useCallback, useLayoutEffect, useRef, useState } from 'react'

const NEAR_PX = 48
const INPUT_LASTS_MS = 600
/** A wheel or a key scrolls for so long, and longer while it goes on; what moves later is the content's own doing. */
const GOES_ON_MS = 200

/** The part of the content at the upper edge, and how far it is above it. */
interface Anchor {
  part: Element
  offset: number
}

interface StickToEnd {
  box: RefObject<HTMLDivElement | null>
  isAtEnd: boolean
  onScroll: () => void
  toEnd: () => void
}

/**
 * Keeps a scrolled box at its end while the reader is there, else at what is being read: only the reader's own hand
 * lets go of the end and takes hold of it again.
 */
export function useStickToEnd(): StickToEnd {
  const box = useRef<HTMLDivElement>(null)
  const sticks = useRef(true)
  const handUntil = useRef(0)
  const reading = useRef<Anchor | null>(null)
  const isHidden = useRef(false)
  const [isAtEnd, setIsAtEnd] = useState(true)

  const toEnd = useCallback(() => {
    sticks.current = true
    setIsAtEnd(true)
    const element = box.current
    if (element !== null) element.scrollTop = element.scrollHeight
  }, [])

  const onScroll = useCallback(() => {
    const element = box.current
    // Hidden it has no height, so its end is everywhere; nor is its place its own until it is put back.
    if (element === null || isHidden.current || element.clientHeight === 0) return
    const isNear = element.scrollHeight - element.scrollTop - element.clientHeight < NEAR_PX
    // Content that grows or shrinks moves the end away or near, too.
    const now = performance.now()
    if (now < handUntil.current) {
      sticks.current = isNear
      handUntil.current = Math.max(handUntil.current, now + GOES_ON_MS)
    }
    reading.current = anchorIn(element)
    setIsAtEnd(sticks.current || isNear)
  }, [])

  useLayoutEffect(() => {
    const element = box.current
    const content = element?.firstElementChild
    if (!element || !content) return
    const observer = new ResizeObserver(() => {
      const wasHidden = isHidden.current
      isHidden.current = element.clientHeight === 0
      if (sticks.current) element.scrollTop = element.scrollHeight
      // Hidden, it forgot how high the parts are that it did not draw, so that a distance from the start is of no use.
      else if (wasHidden && !isHidden.current && reading.current !== null) scrollBack(element, reading.current)
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

function anchorIn(box: HTMLElement): Anchor | null {
  const { left, top, width } = box.getBoundingClientRect()
  let part = document.elementFromPoint(left + width / 2, top + 1)
  while (part !== null && part.parentElement !== box.firstElementChild) part = part.parentElement
  return part === null ? null : { part, offset: top - part.getBoundingClientRect().top }
}

function scrollBack(box: HTMLElement, { part, offset }: Anchor): void {
  box.scrollTop += part.getBoundingClientRect().top - box.getBoundingClientRect().top + offset
}
