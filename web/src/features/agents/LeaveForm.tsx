import { useWords } from '../../words/useWords'

/** In place of the form's buttons: what was written would be gone. */
export function LeaveForm({ onStay, onLeave }: { onStay: () => void; onLeave: () => void }) {
  const words = useWords()
  return (
    <footer className="dialog-foot">
      <div className="start confirm" role="alertdialog" aria-label={words.form.leaveTitle}>
        <p className="small">
          <b className="strong">{words.form.leaveTitle}</b>
        </p>
        {/* biome-ignore lint/a11y/noAutofocus: it answers a key that the person has just pressed. */}
        <button type="button" className="btn s" autoFocus onClick={onStay}>
          {words.form.stay}
        </button>
        <button type="button" className="btn s danger" onClick={onLeave}>
          {words.form.leave}
        </button>
      </div>
    </footer>
  )
}
