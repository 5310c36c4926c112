import type { Need } from '../../state/needsYou'
import { openDialog } from '../../state/selection'
import { Icon } from '../../ui/Icon'
import { useWords } from '../../words/useWords'
import { Expiry } from './Expiry'
import { NeedGlyph } from './NeedList'
import { PermissionActions } from './PermissionActions'
import { requestText } from './requestText'
import { summaryOf } from './summaryOf'

/** A request on a phone: what is asked and answers as large as a thumb. */
export function AskCard({ need, onShow }: { need: Need; onShow: (agentId: string) => void }) {
  const words = useWords()
  if (need.kind !== 'permission') {
    const open = () => (need.kind === 'trust' ? openDialog({ name: 'trust' }) : onShow(need.agent.id))
    return (
      <button type="button" className="more-asks is-needs-you" onClick={open}>
        <NeedGlyph need={need} />
        <span className="grow">
          <b className="strong">{need.kind === 'trust' ? words.needs.trust : need.agent.name}</b>
          <span className="soft small">{summaryOf(need, words)}</span>
        </span>
        <Icon name="right" />
      </button>
    )
  }
  const { agent, permission } = need
  const { title, detail } = requestText(permission)
  return (
    <div className="ask-card is-needs-you">
      <p className="line">
        <NeedGlyph need={need} />
        <span>
          <b className="strong">{agent.name}</b> <span className="soft">{words.needs.wants(permission.tool)}</span>
        </span>
        <Expiry permission={permission} isShort />
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it. */}
      <pre tabIndex={0} role="group" aria-label={words.permission.detail}>
        <code>{detail || title}</code>
      </pre>
      {detail !== '' && title !== '' && <p className="note">{title}</p>}
      <p className="acts">
        <PermissionActions permission={permission} size="xl" isPrimary />
      </p>
    </div>
  )
}
