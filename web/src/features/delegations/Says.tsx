import { useEffect, useRef } from 'react'
import { inList } from '../../lib/visibleText'
import type { ProjectAgent } from '../../state/agents'
import type { ProjectDelegation } from '../../state/delegations'
import { announcementsOf } from '../../state/overlay'
import { Said } from '../../ui/Said'
import { useLocale, useWords } from '../../words/useWords'
import { exactTime } from '../../words/words'

/** What the target announces while it works on this ask: newest last and in view. And where it works on it. */
export function Says({ ask, agent }: { ask: ProjectDelegation; agent: ProjectAgent }) {
  const words = useWords()
  const locale = useLocale()
  const list = useRef<HTMLOListElement>(null)
  const said = announcementsOf(ask, agent)
  // biome-ignore lint/correctness/useExhaustiveDependencies: scrolls when one more was said.
  useEffect(() => {
    // Returns a promise in some browsers, which React would call as the effect's end.
    void list.current?.scrollTo({ top: list.current.scrollHeight })
  }, [said.length])
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it. */}
      <ol className="says" ref={list} tabIndex={0} aria-label={words.overlay.title}>
        {said.length === 0 && <li className="none">{words.overlay.waiting}</li>}
        {said.map((one, index) => (
          <li key={`${one.atMs}-${one.text}`}>
            <time>{exactTime(one.atMs, locale)}</time>
            <span className={index === said.length - 1 ? undefined : 'truncate'}>
              {index === said.length - 1 ? <Said text={one.text} /> : inList(one.text)}
            </span>
          </li>
        ))}
      </ol>
      {agent.sideSession !== null && <p className="says-beside">{words.overlay.besideNote}</p>}
    </>
  )
}
