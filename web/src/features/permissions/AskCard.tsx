import { useRef } from 'react'
import { visible } from '../../lib/visibleText'
import type { Need } from '../../state/needsYou'
import { openDialog } from '../../state/selection'
import { Icon } from '../../ui/Icon'
import { useWords } from '../../words/useWords'
import { Expiry } from './Expiry'
import { NeedGlyph } from './NeedList'
import { PermissionActions } from './PermissionActions'
import { RequestText } from './RequestText'
import { requestText } from './requestText'
import { summaryOf } from './summaryOf'
import { useFocusGoesOn } from './useFocusGoesOn'

interface AskCardProps {
  need: Need
  /** The cards have stood as they do long enough. */
  isArmed: boolean
  onShow: (agentId: string) => void
}

/** A request on a phone: what is asked and answers as large as a thumb. */
export function AskCard({ need, isArmed, onShow }: AskCardProps) {
  const words = useWords()
  const card = useRef<HTMLDivElement>(null)
  useFocusGoesOn(card)
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
  const { title } = requestText(permission)
  return (
    <div className="ask-card is-needs-you" ref={card} tabIndex={-1} data-request={need.id}>
      <p className="line">
        <NeedGlyph need={need} />
        <span>
          <b className="strong">{agent.name}</b>{' '}
          <span className="soft">{words.needs.wants(visible(permission.tool))}</span>
        </span>
        <Expiry permission={permission} isShort />
      </p>
      {title !== '' && <p className="note">{title}</p>}
      <RequestText permission={permission} />
      <p className="acts">
        <PermissionActions permission={permission} isArmed={isArmed} size="xl" isPrimary />
      </p>
    </div>
  )
}
