import { useEffect, useRef, useState } from 'react'
import { extentOf } from '../lib/visibleText'
import { useLocale, useWords } from '../words/useWords'
import { grouped } from '../words/words'
import { Icon } from './Icon'
import { Verbatim } from './Verbatim'

const EDGE_PX = 2
/** Sizes are rounded. */

interface ReadBoxProps {
  text: string
  label: string
  /** Its end has come into view, wherever it scrolls. */
  onRead: () => void
}

/** A text to decide on: it scrolls when it is long, says how much it is and how much lies below, and whether that was seen. */
export function ReadBox({ text, label, onRead }: ReadBoxProps) {
  const words = useWords()
  const locale = useLocale()
  const box = useRef<HTMLPreElement>(null)
  const end = useRef<HTMLSpanElement>(null)
  const [below, setBelow] = useState(0)
  const measure = () => setBelow(box.current === null ? 0 : linesBelow(box.current))
  useSeen(end, onRead)
  useEffect(() => {
    const element = box.current
    if (element === null) return
    const observer = new ResizeObserver(() => setBelow(linesBelow(element)))
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  const readOn = () => {
    const element = box.current
    if (element === null) return
    element.scrollBy({ top: Math.max(element.clientHeight - lineHeight(element), lineHeight(element)) })
    // The button goes away at the end, and would leave the keyboard nowhere.
    element.focus({ preventScroll: true })
  }
  const { lines, chars } = extentOf(text)
  return (
    <div className="read-box">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it. */}
      <pre ref={box} tabIndex={0} role="group" aria-label={label} onScroll={measure}>
        <code>
          <Verbatim text={text} />
        </code>
        <span className="read-end" ref={end} />
      </pre>
      <p className="read-foot">
        <span>{words.text.extent(lines, grouped(chars, locale))}</span>
        {below > 0 && (
          <button type="button" className="btn s" onClick={readOn}>
            <Icon name="down" size="s" />
            {words.text.below(below)}
          </button>
        )}
      </p>
    </div>
  )
}

function useSeen(end: { current: HTMLElement | null }, onSeen: () => void): void {
  const latest = useRef(onSeen)
  useEffect(() => {
    latest.current = onSeen
  }, [onSeen])
  useEffect(() => {
    const element = end.current
    if (element === null) return
    const observer = new IntersectionObserver((entries) => {
      if (entries.some((entry) => entry.isIntersecting)) latest.current()
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [end])
}

function linesBelow(box: HTMLElement): number {
  const px = box.scrollHeight - box.clientHeight - box.scrollTop
  // Less than a line is the box's own edge.
  return Math.max(0, Math.floor((px + EDGE_PX) / lineHeight(box)))
}

function lineHeight(box: HTMLElement): number {
  return Number.parseFloat(getComputedStyle(box).lineHeight) || 18
}
