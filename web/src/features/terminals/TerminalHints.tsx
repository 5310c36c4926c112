import { useState } from 'react'
import { useStore } from 'zustand'
import { isMac } from '../../lib/isMac'
import type { TerminalFace } from '../../terminal/face'
import type { TerminalController } from '../../terminal/TerminalController'
import { Icon } from '../../ui/Icon'
import { Notice } from '../../ui/Notice'
import { useWords } from '../../words/useWords'
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
        <PasteNotice controller={controller} face={face} />
        {face.offer !== null && <OfferNotice controller={controller} text={face.offer} />}
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

function PasteNotice({ controller: { hands }, face: { paste, refusal } }: HintsProps) {
  const words = useWords()
  if (refusal !== null) {
    const close = (
      <button type="button" className="btn s" onClick={() => hands.dropPaste()}>
        {words.close}
      </button>
    )
    return (
      <Notice tone="danger" icon="x" role="alert" title={words.terminal.notPasted} actions={close}>
        {words.terminal.refusal[refusal]}
      </Notice>
    )
  }
  if (paste === null) return null
  const lines = paste.trimEnd().split('\n').length
  return (
    <Notice tone="needs-you" icon="copy" role="alert" title={words.terminal.pasteLines(lines)}>
      {words.terminal.pasteActs}
      <div className="acts">
        {/* biome-ignore lint/a11y/noAutofocus: it answers a key that the person has just pressed. */}
        <button type="button" className="btn s primary" autoFocus onClick={() => hands.confirmPaste()}>
          {words.terminal.paste}
        </button>
        <button type="button" className="btn s" onClick={() => hands.dropPaste()}>
          {words.cancel}
        </button>
      </div>
    </Notice>
  )
}

function OfferNotice({ controller: { hands }, text }: { controller: TerminalController; text: string }) {
  const words = useWords()
  const [isRefused, setIsRefused] = useState(false)
  return (
    <Notice tone="idle" icon="copy" role="status" title={words.terminal.offers}>
      <p className="term-offer">{text}</p>
      {isRefused && <p>{words.terminal.notCopied}</p>}
      <div className="acts">
        <button
          type="button"
          className="btn s primary"
          onClick={() => void hands.takeOffer().then((isCopied) => setIsRefused(!isCopied))}
        >
          {words.copy}
        </button>
        <button type="button" className="btn s" onClick={() => hands.dropOffer()}>
          {words.dismiss}
        </button>
      </div>
    </Notice>
  )
}
