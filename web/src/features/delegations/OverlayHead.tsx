import { useEffect, useRef } from 'react'
import { Since } from '../../bind/Since'
import type { ProjectDelegation } from '../../state/delegations'
import { isPerson } from '../../state/person'
import { Glyph } from '../../ui/Glyph'
import { Icon } from '../../ui/Icon'
import { useWords } from '../../words/useWords'

interface OverlayHeadProps {
  ask: ProjectDelegation
  onHide?: () => void
}

/** The sentence, who speaks, under which ticket, for how long. Escape in the cell hides the sheet below it. */
export function OverlayHead({ ask, onHide }: OverlayHeadProps) {
  const words = useWords()
  const head = useRef<HTMLElement>(null)
  useEffect(() => {
    if (onHide === undefined) return
    const cell = head.current?.closest('.cell-body')
    const hide = (event: Event) => {
      if (!(event instanceof KeyboardEvent) || event.key !== 'Escape') return
      event.stopPropagation()
      onHide()
    }
    // Captured, so that the terminal below does not take this one key for its program.
    cell?.addEventListener('keydown', hide, { capture: true })
    return () => cell?.removeEventListener('keydown', hide, { capture: true })
  }, [onHide])
  return (
    <header className="sheet-head" ref={head}>
      <Icon name="ask" size="s" />
      <span className="title">{words.overlay.title}</span>
      <span className="from">
        <Glyph name="working" tone="working" />
        {isPerson(ask.requester.id) ? words.you : ask.requester.name}
      </span>
      <span className="end">
        <span className="ref">D-{ask.number}</span>
        <span className="elapsed">
          <Since atMs={ask.startedAtMs ?? ask.askedAtMs} isExact />
        </span>
        {onHide !== undefined && (
          <button type="button" className="btn s quiet" onClick={onHide}>
            {words.overlay.hide} <kbd>Esc</kbd>
          </button>
        )}
      </span>
    </header>
  )
}
