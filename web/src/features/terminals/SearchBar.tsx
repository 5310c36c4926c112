import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { useStore } from 'zustand'
import type { TerminalController } from '../../terminal/TerminalController'
import type { Found } from '../../terminal/TerminalSearch'
import { IconButton } from '../../ui/IconButton'
import type { Words } from '../../words/en'
import { useWords } from '../../words/useWords'

/** Looks through the screen and all that has left it upwards. */
export function SearchBar({ controller }: { controller: TerminalController }) {
  const words = useWords()
  const { search, hands } = controller
  const found = useStore(search.found)
  const box = useRef<HTMLInputElement>(null)
  const [text, setText] = useState('')
  const [isCaseSensitive, setIsCaseSensitive] = useState(false)
  useEffect(() => {
    box.current?.focus()
    return () => search.end()
  }, [search])
  useEffect(() => search.begin(text, isCaseSensitive), [search, text, isCaseSensitive])
  const next = () => text !== '' && search.next(text, isCaseSensitive)
  const previous = () => text !== '' && search.previous(text, isCaseSensitive)
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && event.target === box.current) {
      event.preventDefault()
      if (event.shiftKey) previous()
      else next()
    } else if (event.key === 'Escape') {
      event.preventDefault()
      event.stopPropagation()
      hands.closeSearch()
    } else if (event.code === 'KeyF' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault()
      box.current?.select()
    }
  }
  return (
    <search className="term-search" aria-label={words.terminal.search} onKeyDown={onKeyDown}>
      <input
        ref={box}
        type="text"
        className="field"
        aria-label={words.terminal.search}
        placeholder={words.terminal.search}
        spellCheck={false}
        autoComplete="off"
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <output className="small soft">{text === '' ? '' : foundText(found, words)}</output>
      <button
        type="button"
        className="ib case"
        aria-pressed={isCaseSensitive}
        aria-label={words.terminal.matchCase}
        title={words.terminal.matchCase}
        onClick={() => setIsCaseSensitive(!isCaseSensitive)}
      >
        Aa
      </button>
      <IconButton icon="chevron-up" size="s" label={words.terminal.previousMatch} onClick={previous} />
      <IconButton icon="down" size="s" label={words.terminal.nextMatch} onClick={next} />
      <IconButton icon="x" size="s" label={words.terminal.closeSearch} onClick={() => hands.closeSearch()} />
    </search>
  )
}

function foundText(found: Found | null, words: Words): string {
  if (found === null || found.count === 0) return words.terminal.noMatch
  return words.terminal.matches(found.place, found.count, found.isMore)
}
