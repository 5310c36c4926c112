import { useRef } from 'react'
import { Belief } from '../../bind/Belief'
import { visible } from '../../lib/visibleText'
import type { Need } from '../../state/needsYou'
import { openDialog } from '../../state/selection'
import { CopyButton } from '../../ui/CopyButton'
import { Glyph } from '../../ui/Glyph'
import { Icon } from '../../ui/Icon'
import { useLocale, useWords } from '../../words/useWords'
import { clockTime } from '../../words/words'
import { Expiry } from './Expiry'
import { PermissionActions } from './PermissionActions'
import { RequestText } from './RequestText'
import { requestText } from './requestText'
import { asksInTerminal } from './summaryOf'
import { useFocusGoesOn } from './useFocusGoesOn'

interface NeedDetailProps {
  need: Need
  isArmed: boolean
  onShow: (agentId: string) => void
}

/** One request in full; the bar with the answers stays in view. */
export function NeedDetail({ need, isArmed, onShow }: NeedDetailProps) {
  if (need.kind === 'permission') return <PermissionDetail need={need} isArmed={isArmed} onShow={onShow} />
  return <OtherDetail need={need} onShow={onShow} />
}

type PermissionNeed = Extract<Need, { kind: 'permission' }>

function PermissionDetail({ need, isArmed, onShow }: NeedDetailProps & { need: PermissionNeed }) {
  const words = useWords()
  const section = useRef<HTMLElement>(null)
  useFocusGoesOn(section)
  const locale = useLocale()
  const { agent, permission } = need
  const { title, detail } = requestText(permission)
  return (
    <section
      className="page foot"
      aria-label={words.permission.request(agent.name)}
      ref={section}
      tabIndex={-1}
      data-request={need.id}
    >
      <header className="page-head">
        <span className="muted truncate">{words.needs.askedAt(clockTime(permission.askedAtMs, locale))}</span>
        <span className="grow" />
        <span className="badge is-needs-you">
          <Icon name="clock" size="s" />
          <Expiry permission={permission} />
        </span>
        <button type="button" className="btn s quiet" onClick={() => onShow(agent.id)}>
          {words.needs.goToCell} <kbd>G</kbd>
        </button>
      </header>
      <div className="page-body">
        <article className="request">
          <h2 className="title">
            <Glyph name="needs-you" tone="needs-you" isLarge />
            {words.permission.title(agent.name, visible(permission.tool))}
          </h2>
          {title !== '' && <p className="lead">{title}</p>}
          <RequestText permission={permission} />
          {detail !== '' && <CopyButton text={detail} label={words.copy} copiedLabel={words.copied} />}
        </article>
      </div>
      <footer className="answer">
        <span className="grow" />
        <PermissionActions permission={permission} isArmed={isArmed} hasKeys isPrimary isLastFirst />
      </footer>
    </section>
  )
}

function OtherDetail({ need, onShow }: { need: Exclude<Need, PermissionNeed>; onShow: (agentId: string) => void }) {
  const words = useWords()
  if (need.kind === 'trust') {
    return (
      <div className="blank">
        <Icon name="shield" size="l" />
        <h2>{words.trust.title(need.project.name)}</h2>
        <div className="acts">
          <button type="button" className="btn primary" onClick={() => openDialog({ name: 'trust' })}>
            {words.trust.review}
          </button>
        </div>
      </div>
    )
  }
  return (
    <div className="blank">
      <Glyph
        name={need.kind === 'stalled' ? 'stalled' : 'needs-you'}
        tone={need.kind === 'stalled' ? 'stalled' : 'needs-you'}
        isLarge
      />
      <h2>
        {need.agent.name}
        {need.kind === 'terminal' && ` ${asksInTerminal(need.agent.readiness, words)}`}
      </h2>
      <p>
        <Belief agent={need.agent} />
      </p>
      <div className="acts">
        <button type="button" className="btn" onClick={() => onShow(need.agent.id)}>
          {words.needs.goToCell} <kbd>G</kbd>
        </button>
      </div>
    </div>
  )
}
