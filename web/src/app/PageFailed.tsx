import { preferenceStore } from '../state/preferences'
import { Icon } from '../ui/Icon'
import { Sprite } from '../ui/Sprite'
import { settledLocale, wordsOf } from '../words/words'

/** Instead of the whole page: what happened, that nothing else did, and the way on. It relies on nothing of the page. */
export function PageFailed() {
  const locale = settledLocale(preferenceStore.getState().locale, undefined, navigator.languages)
  const words = wordsOf(locale)
  return (
    <main className="blank" role="alert" lang={locale}>
      <Sprite />
      <Icon name="x" size="l" />
      <h1>{words.fault.page}</h1>
      <p>{words.fault.pageDetail}</p>
      <div className="acts">
        <button type="button" className="btn primary" onClick={() => location.reload()}>
          {words.fault.reload}
        </button>
      </div>
    </main>
  )
}
