import { Icon } from '../../ui/Icon'
import type { Trust } from '../../wire/shapes'
import { useWords } from '../../words/useWords'

/** Three things worth knowing before the first agent. */
export function Ideas({ trust }: { trust: Trust }) {
  const words = useWords()
  return (
    <div className="ideas">
      <div>
        <Icon name="shield" size="l" />
        <b>{words.firstRun.trustTitle}</b>
        <p>{trust.isTrusted ? words.firstRun.trustClean : words.firstRun.trustItems(trust.items.length)}</p>
      </div>
      <div>
        <Icon name="ask" size="l" />
        <b>{words.firstRun.askTitle}</b>
        <p>{words.firstRun.askDetail}</p>
      </div>
      <div>
        <Icon name="help" size="l" />
        <b>{words.firstRun.keysTitle}</b>
        <p>
          <kbd>Alt N</kbd> {words.firstRun.keysNeeds} <kbd>?</kbd> {words.firstRun.keysRest}
        </p>
      </div>
    </div>
  )
}
