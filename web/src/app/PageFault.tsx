import { CopyButton } from '../ui/CopyButton'
import { Sprite } from '../ui/Sprite'
import { settledLocale, wordsOf } from '../words/words'

/** Instead of the whole page, when it could not be drawn. Nothing of it is known here, not even its language. */
export function PageFault({ text }: { text: string }) {
  const words = wordsOf(settledLocale(null, undefined, navigator.languages))
  return (
    <main className="blank" role="alert">
      <Sprite />
      <h1>{words.fault.page}</h1>
      <p>{words.fault.pageDetail}</p>
      <p className="mono small fault-text">{text}</p>
      <div className="acts">
        <button type="button" className="btn primary" onClick={() => window.location.reload()}>
          {words.fault.reload}
        </button>
        <CopyButton text={text} label={words.fault.copy} copiedLabel={words.copied} />
      </div>
    </main>
  )
}
