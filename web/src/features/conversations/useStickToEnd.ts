import { type RefObject, useCallback, useLayoutEffect, useRef, useState } from 'react'

const NEAR_PX = 48

interface StickToEnd {
  box: RefObject<HTMLDivElement | null>
  isAtEnd: boolean
  onScroll: () => void
  toEnd: () => void
}

/** Keeps a scrolled box at its end while the reader is there; leaves it alone once they scroll up. */
export function useStickToEnd(): StickToEnd {
  const box = useRef<HTMLDivElement>(null)
  const sticks = useRef(true)
  const last = useRef({ top: 0, height: 0 })
  const [isAtEnd, setIsAtEnd] = useState(true)

  const toEnd = useCallback(() => {
    sticks.current = true
    setIsAtEnd(true)
    const element = box.current
    if (element !== null) element.scrollTop = element.scrollHeight
  }, [])

  const onScroll = useCallback(() => {
    const element = box.current
    if (element === null) return
    const { scrollTop, scrollHeight, clientHeight } = element
    const isNear = scrollHeight - scrollTop - clientHeight < NEAR_PX
    // Growing content moves the end away without a reader: only a move upwards lets go.
    const isMovedUp = scrollTop < last.current.top && scrollHeight >= last.current.height
    last.current = { top: scrollTop, height: scrollHeight }
    sticks.current = isNear || (sticks.current && !isMovedUp)
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
    return () => observer.disconnect()
  }, [])

  return { box, isAtEnd, onScroll, toEnd }
}
