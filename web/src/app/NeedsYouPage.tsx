import { useState } from 'react'
import { useNeeds } from '../bind/useNeeds'
import { NeedDetail } from '../features/permissions/NeedDetail'
import { NeedList } from '../features/permissions/NeedList'
import { Icon } from '../ui/Icon'
import { useWords } from '../words/useWords'

interface NeedsYouPageProps {
  projectId: string
  onShow: (agentId: string) => void
}

/** Everything that waits for the person, one at a time in full. */
export function NeedsYouPage({ projectId, onShow }: NeedsYouPageProps) {
  const words = useWords()
  const needs = useNeeds(projectId)
  const [chosenId, setChosenId] = useState<string | null>(null)
  const chosen = needs.find((need) => need.id === chosenId) ?? needs[0]
  return (
    <div className="dock split">
      <section className="page" aria-label={words.needs.requests}>
        <header className="page-head">
          <h2>{words.needs.title}</h2>
          <span className="muted">{needs.length}</span>
        </header>
        <div className="page-body">
          <NeedList needs={needs} chosenId={chosen?.id ?? null} onChoose={setChosenId} />
        </div>
      </section>
      {chosen === undefined ? (
        <div className="blank">
          <Icon name="check" size="l" />
          <h3>{words.needs.none}</h3>
          <p>{words.needs.noneDetail}</p>
        </div>
      ) : (
        <NeedDetail key={chosen.id} need={chosen} onShow={onShow} />
      )}
    </div>
  )
}
