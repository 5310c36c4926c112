import { useState } from 'react'
import { Said } from '../../ui/Said'
import type { LiveTurn } from '../../wire/shapes'
import { useLocale, useWords } from '../../words/useWords'
import { exactTime } from '../../words/words'

const SHOWN = 4

/** What the agent said on the way; the newest few, the others on demand. */
export function Announcements({ said }: { said: LiveTurn['announcements'] }) {
  const words = useWords()
  const locale = useLocale()
  const [isAll, setIsAll] = useState(false)
  const hidden = isAll ? 0 : Math.max(0, said.length - SHOWN)
  return (
    <div className="announced" title={words.chat.announcements}>
      {hidden > 0 && (
        <button type="button" className="tool" onClick={() => setIsAll(true)}>
          {words.chat.earlier(hidden)}
        </button>
      )}
      <ul className="says" aria-label={words.chat.announcements}>
        {said.slice(hidden).map((one) => (
          <li key={`${one.atMs}-${one.text}`}>
            <time>{exactTime(one.atMs, locale)}</time>
            <span>
              <Said text={one.text} />
            </span>
          </li>
        ))}
      </ul>
    </div>
  )
}
