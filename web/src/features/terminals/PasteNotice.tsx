import type { TerminalFace } from '../../terminal/face'
import type { TerminalHands } from '../../terminal/TerminalHands'
import { Notice } from '../../ui/Notice'
import { useWords } from '../../words/useWords'
import { ShownText } from './ShownText'

interface PasteNoticeProps {
  hands: TerminalHands
  face: TerminalFace
}

/** A text that was not pasted, or not yet: what it is, and why. */
export function PasteNotice({ hands, face: { paste, refusal } }: PasteNoticeProps) {
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
      <ShownText text={paste} />
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
