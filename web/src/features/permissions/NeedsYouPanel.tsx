import { Since } from '../../bind/Since'
import { useNeeds } from '../../bind/useNeeds'
import type { Need } from '../../state/needsYou'
import { openDialog } from '../../state/selection'
import { Glyph } from '../../ui/Glyph'
import { useWords } from '../../words/useWords'
import { NeedGlyph } from './NeedList'
import { PermissionActions } from './PermissionActions'
import { firstLine, summaryOf } from './summaryOf'

interface NeedsYouPanelProps {
  projectId: string
  onShow: (agentId: string) => void
}

/** Top of the panel: what waits for the person, the first one answered right here. Absent while nothing does. */
export function NeedsYouPanel({ projectId, onShow }: NeedsYouPanelProps) {
  const words = useWords()
  const needs = useNeeds(projectId)
  const [first, ...others] = needs
  if (first === undefined) return null
  return (
    <section className="sec" aria-label={words.needs.title}>
      <h2 className="sec-head">
        <span className="state is-needs-you head-state">{words.needs.title}</span>
        <span className="n">{needs.length}</span>
        <kbd className="head-key">Alt N</kbd>
      </h2>
      <div className="asks is-needs-you">
        {first.kind === 'permission' ? <FirstRequest need={first} /> : <NeedRow need={first} onShow={onShow} />}
        {others.map((need) => (
          <NeedRow key={need.id} need={need} onShow={onShow} />
        ))}
      </div>
    </section>
  )
}

function FirstRequest({ need }: { need: Extract<Need, { kind: 'permission' }> }) {
  const words = useWords()
  const { agent, permission } = need
  return (
    <div className="first">
      <p className="line">
        <Glyph name="needs-you" tone="needs-you" />
        <span className="asker">
          <b className="strong">{agent.name}</b>{' '}
          <span className="soft small">{words.needs.wants(permission.tool)}</span>
        </span>
        <span className="age">
          <Since atMs={permission.askedAtMs} />
        </span>
      </p>
      <p className="what">
        <code>{firstLine(permission.detail) || permission.title}</code>
      </p>
      <p className="acts">
        <PermissionActions permission={permission} size="s" />
      </p>
    </div>
  )
}

export function NeedRow({ need, onShow }: { need: Need; onShow: (agentId: string) => void }) {
  const words = useWords()
  const open = () => (need.kind === 'trust' ? openDialog({ name: 'trust' }) : onShow(need.agent.id))
  return (
    <button type="button" className="row" onClick={open}>
      <NeedGlyph need={need} />
      <span className="strong truncate">{need.kind === 'trust' ? words.needs.trust : need.agent.name}</span>
      <span className="soft small truncate">{summaryOf(need, words)}</span>
      {need.sinceMs !== null && (
        <span className="age">
          <Since atMs={need.sinceMs} />
        </span>
      )}
    </button>
  )
}
