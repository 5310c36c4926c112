import { useRef, useState } from 'react'
import { useArmed } from '../bind/useArmed'
import { useNeeds } from '../bind/useNeeds'
import { NeedDetail } from '../features/permissions/NeedDetail'
import { NeedList } from '../features/permissions/NeedList'
import { decide } from '../state/decide'
import type { Need } from '../state/needsYou'
import { selectionStore } from '../state/selection'
import { Icon } from '../ui/Icon'
import { useWords } from '../words/useWords'
import { useNeedKeys } from './useNeedKeys'

interface NeedsYouPageProps {
  projectId: string
  onShow: (agentId: string) => void
}

/** Everything that waits for the person, one at a time in full. */
export function NeedsYouPage({ projectId, onShow }: NeedsYouPageProps) {
  const words = useWords()
  const list = useRef<HTMLDivElement>(null)
  const needs = useNeeds(projectId)
  const { chosen, choose } = useChosen(needs)
  const { turnTo, isArmed } = useArmed(chosen?.id ?? '', 'armed')
  const turn = (id: string) => {
    turnTo(id)
    choose(id)
  }
  useNeedKeys({
    chosen,
    onMove: (by) => {
      const index = (chosen === undefined ? 0 : needs.indexOf(chosen)) + by
      const next = needs[index]
      if (next === undefined) return
      turn(next.id)
      list.current?.querySelectorAll<HTMLElement>('[data-need]')[index]?.focus()
    },
    onGo: onShow,
    onDecide: (decision) => {
      if (chosen?.kind === 'permission' && isArmed) void decide(chosen.permission, decision, words.permission.notSent)
    },
  })
  return (
    <div className="dock split">
      <section className="page" aria-label={words.needs.requests}>
        <header className="page-head">
          <h1>{words.needs.title}</h1>
          <span className="muted">{needs.length}</span>
          {needs.length > 1 && (
            <span className="walk muted micro">
              <kbd>J</kbd> <kbd>K</kbd> {words.needs.walk}
            </span>
          )}
        </header>
        <div className="page-body" ref={list}>
          <NeedList needs={needs} chosenId={chosen?.id ?? null} onChoose={turn} />
        </div>
      </section>
      {chosen === undefined ? (
        <div className="blank">
          <Icon name="check" size="l" />
          <h2>{words.needs.none}</h2>
          <p>{words.needs.noneDetail}</p>
        </div>
      ) : (
        <NeedDetail key={chosen.id} need={chosen} isArmed={isArmed} onShow={onShow} />
      )}
    </div>
  )
}

/** The one in view stays while others come and go; once it is settled, the one that takes its place. */
function useChosen(needs: readonly Need[]) {
  const [{ id, index }, setChosen] = useState<{ id: string | null; index: number }>(() => ({
    id: selectionStore.getState().needId,
    index: 0,
  }))
  const found = needs.findIndex((need) => need.id === id)
  const shownIndex = Math.max(0, found >= 0 ? found : Math.min(index, needs.length - 1))
  const chosen = needs[shownIndex]
  const shownId = chosen?.id ?? null
  // What is in view now is what the next one takes the place of.
  if (shownId !== id || shownIndex !== index) setChosen({ id: shownId, index: shownIndex })
  const choose = (next: string) => setChosen({ id: next, index: needs.findIndex((need) => need.id === next) })
  return { chosen, choose }
}
