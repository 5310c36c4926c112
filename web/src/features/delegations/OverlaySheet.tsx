import { useEffect, useRef, useState } from 'react'
import { useStore } from 'zustand'
import type { ProjectAgent } from '../../state/agents'
import { delegationStore } from '../../state/delegations'
import { activeAsk, announcementsOf } from '../../state/overlay'
import { useLocale, useWords } from '../../words/useWords'
import { exactTime } from '../../words/words'
import { OverlayHead } from './OverlayHead'

/**
 * Over the target's terminal while an agent talks to it; locks nothing.
 * Hiding it lasts for this ask: the next one shows again.
 */
export function OverlaySheet({ agent }: { agent: ProjectAgent }) {
  const words = useWords()
  const locale = useLocale()
  const ask = useStore(delegationStore, (all) => activeAsk(agent, all))
  const [hidden, setHidden] = useState<string | null>(null)
  const list = useRef<HTMLOListElement>(null)
  const said = ask === null ? [] : announcementsOf(ask, agent)
  // biome-ignore lint/correctness/useExhaustiveDependencies: scrolls when one more was said.
  useEffect(() => {
    // Returns a promise in some browsers, which React would call as the effect's end.
    void list.current?.scrollTo({ top: list.current.scrollHeight })
  }, [said.length])
  if (ask === null || hidden === ask.ticketId) return null
  return (
    <div
      className="sheet is-working"
      role="group"
      aria-label={words.overlay.title}
      data-testid="overlay"
      data-ticket={ask.ticketId}
    >
      <OverlayHead ask={ask} onHide={() => setHidden(ask.ticketId)} />
      <ol className="says" ref={list}>
        {said.length === 0 && <li className="none">{words.overlay.waiting}</li>}
        {said.map((one, index) => (
          <li key={`${one.atMs}-${one.text}`}>
            <time>{exactTime(one.atMs, locale)}</time>
            <span className={index === said.length - 1 ? undefined : 'truncate'}>{one.text}</span>
          </li>
        ))}
      </ol>
    </div>
  )
}
