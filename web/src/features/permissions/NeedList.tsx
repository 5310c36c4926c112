import { Since } from '../../bind/Since'
import type { Need } from '../../state/needsYou'
import { Glyph } from '../../ui/Glyph'
import { Icon } from '../../ui/Icon'
import { useWords } from '../../words/useWords'
import { Expiry } from './Expiry'
import { summaryOf } from './summaryOf'

interface NeedListProps {
  needs: readonly Need[]
  chosenId: string | null
  onChoose: (id: string) => void
}

export function NeedList({ needs, chosenId, onChoose }: NeedListProps) {
  return (
    <ul className="inbox">
      {needs.map((need) => (
        <li key={need.id}>
          <NeedEntry need={need} isChosen={need.id === chosenId} onChoose={() => onChoose(need.id)} />
        </li>
      ))}
    </ul>
  )
}

function NeedEntry({ need, isChosen, onChoose }: { need: Need; isChosen: boolean; onChoose: () => void }) {
  const words = useWords()
  return (
    <button
      type="button"
      className="inset"
      data-need={need.id}
      aria-current={isChosen ? 'true' : undefined}
      onClick={onChoose}
    >
      <NeedGlyph need={need} />
      <b className="strong truncate">{need.kind === 'trust' ? need.project.name : need.agent.name}</b>
      <span className={need.kind === 'permission' ? 'when is-needs-you' : 'when'}>
        {need.kind === 'permission' && <Expiry permission={need.permission} isShort />}
        {need.kind !== 'permission' && need.sinceMs !== null && <Since atMs={need.sinceMs} />}
      </span>
      <span
        className={need.kind === 'permission' ? 'what mono truncate' : 'what truncate'}
        title={summaryOf(need, words)}
      >
        {summaryOf(need, words)}
      </span>
    </button>
  )
}

export function NeedGlyph({ need }: { need: Need }) {
  if (need.kind === 'trust') return <Icon name="shield" size="s" />
  const name = need.kind === 'stalled' ? 'stalled' : 'needs-you'
  return <Glyph name={name} tone={name} />
}
