import { useState } from 'react'
import { FailureNotice } from '../../bind/FailureNotice'
import { trustText } from '../../state/failureText'
import type { ProjectFacts } from '../../state/project'
import { approveTrust } from '../../state/trust'
import { Dialog, DialogText } from '../../ui/Dialog'
import { Icon } from '../../ui/Icon'
import { Sentence } from '../../ui/Sentence'
import type { Failure } from '../../wire/outcome'
import type { TrustItem } from '../../wire/shapes'
import { useWords } from '../../words/useWords'
import { TrustText } from './TrustText'
import { useUnfolded } from './useUnfolded'

/** Everything that the folder brought along and that would run, verbatim, by file. The approval quotes the hash shown. */
export function TrustDialog({ project, onClose }: { project: ProjectFacts; onClose: () => void }) {
  const words = useWords()
  const [failure, setFailure] = useState<Failure | null>(null)
  const { trust } = project
  const { isUnfolded, unfold, left } = useUnfolded(trust)
  const approve = async () => {
    const result = await approveTrust(project.id, trust.hash)
    if (result.ok) onClose()
    else setFailure(result.failure)
  }
  return (
    <Dialog
      isWide
      title={words.trust.title(project.name)}
      lead={words.trust.lead}
      closeLabel={words.close}
      onClose={onClose}
    >
      <DialogText label={words.trust.title(project.name)}>
        {trust.items.length === 0 && <p className="soft">{words.trust.nothing}</p>}
        {byFile(trust.items).map(([file, items]) => (
          <section key={file} className="trust-file" aria-label={file}>
            <h3 className="code-head">
              <Icon name="file" size="s" />
              <span className="mono">{file}</span>
            </h3>
            <ul>
              {items.map((item) => (
                <li key={`${item.kind}:${item.text}`}>
                  <span className="tag">{words.trust.kind[item.kind]}</span>
                  {item.note === null ? (
                    <TrustText text={item.text} isUnfolded={isUnfolded(item)} onUnfold={() => unfold(item)} />
                  ) : (
                    <span className="soft">
                      <Sentence text={trustText(item, words)} />
                    </span>
                  )}
                </li>
              ))}
            </ul>
          </section>
        ))}
        {failure !== null && <FailureNotice title={words.trust.notApproved} failure={failure} />}
      </DialogText>
      <footer className="dialog-foot">
        <span className="ref start truncate" title={trust.hash}>
          {trust.hash.slice(0, 16)}
        </span>
        {left > 0 && <span className="held-back">{words.trust.unfoldFirst(left)}</span>}
        <button type="button" className="btn" onClick={onClose}>
          {words.trust.refuse}
        </button>
        <button
          type="button"
          className="btn primary"
          disabled={trust.isTrusted || left > 0}
          onClick={() => void approve()}
        >
          {words.trust.approve}
        </button>
      </footer>
    </Dialog>
  )
}

function byFile(items: readonly TrustItem[]): [string, TrustItem[]][] {
  const files = new Map<string, TrustItem[]>()
  for (const item of items) files.set(item.file, [...(files.get(item.file) ?? []), item])
  return [...files]
}
