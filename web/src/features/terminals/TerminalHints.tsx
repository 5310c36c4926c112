import { useStore } from 'zustand'
import { isMac } from '../../lib/isMac'
import type { TerminalFace } from '../../terminal/face'
import type { TerminalController } from '../../terminal/TerminalController'
import { Icon } from '../../ui/Icon'
import { useWords } from '../../words/useWords'
import { OfferNotice } from './OfferNotice'
import { PasteNotice } from './PasteNotice'
import { SearchBar } from './SearchBar'

interface HintsProps {
  controller: TerminalController
  face: TerminalFace
}

/** What lies over a terminal: search, where a link leads, the way back to the end, and what only the person may decide. */
export function TerminalHints({ controller }: { controller: TerminalController }) {
  const words = useWords()
  const face = useStore(controller.face)
  return (
    <>
      {face.isSearched && <SearchBar controller={controller} />}
      <Marks controller={controller} face={face} />
      <div
        className="term-asks"
        role="group"
        aria-label={words.terminal.asks}
        onKeyDown={(event) => event.key === 'Escape' && controller.hands.dismiss()}
      >
        <PasteNotice hands={controller.hands} face={face} />
        {face.offer !== null && <OfferNotice hands={controller.hands} offer={face.offer} />}
      </div>
    </>
  )
}

function Marks({ controller, face }: HintsProps) {
  const words = useWords()
  const key = isMac ? words.keys.command : 'Ctrl'
  return (
    <>
      {face.hasRung && (
        <span className="term-bell" role="status" title={words.terminal.rang}>
          <Icon name="bell" size="s" />
          <span className="hidden-label">{words.terminal.rang}</span>
        </span>
      )}
      {face.linesBelow !== null && (
        <button type="button" className="btn s to-end" onClick={() => controller.scrollToEnd()}>
          <Icon name="down" size="s" />
          {face.linesBelow === 0 ? words.terminal.toEnd : words.terminal.linesBelow(face.linesBelow)}
        </button>
      )}
      {face.link !== null && (
        <p className="term-link">
          <span className="truncate">{face.link}</span>
          <span className="soft">{words.terminal.opens(key)}</span>
        </p>
      )}
      {face.isMarking && (
        <p className="term-status marking" role="status">
          {words.terminal.marking}
        </p>
      )}
    </>
  )
}
