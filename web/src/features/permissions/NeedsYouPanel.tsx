import { useEffect, useRef } from 'react'
import { Since } from '../../bind/Since'
import { useArmed } from '../../bind/useArmed'
import { useNeeds } from '../../bind/useNeeds'
import { firstLine } from '../../lib/firstLine'
import { isGlance } from '../../lib/isGlance'
import { extentOf, visible } from '../../lib/visibleText'
import type { Need } from '../../state/needsYou'
import { markRead } from '../../state/readRequests'
import { openDialog, showNeeds } from '../../state/selection'
import { Glyph } from '../../ui/Glyph'
import { useLocale, useWords } from '../../words/useWords'
import { grouped } from '../../words/words'
import { NeedGlyph } from './NeedList'
import { PermissionActions } from './PermissionActions'
import { summaryOf } from './summaryOf'
import { useFocusGoesOn } from './useFocusGoesOn'

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
        {first.kind === 'permission' ? (
          <FirstRequest key={first.id} need={first} />
        ) : (
          <NeedRow need={first} onShow={onShow} />
        )}
        {others.map((need) => (
          <NeedRow key={need.id} need={need} onShow={onShow} />
        ))}
      </div>
    </section>
  )
}

/** Answered here only if all of it is seen here; else it leads to where it is. */
function FirstRequest({ need }: { need: Extract<Need, { kind: 'permission' }> }) {
  const words = useWords()
  const locale = useLocale()
  const box = useRef<HTMLDivElement>(null)
  useFocusGoesOn(box)
  const { agent, permission } = need
  const { isArmed } = useArmed(need.id)
  const text = permission.detail || permission.title
  const isWhole = isGlance(text)
  useEffect(() => {
    if (isWhole) markRead(permission)
  }, [isWhole, permission])
  const { lines, chars } = extentOf(text)
  return (
    <div className="first" ref={box} tabIndex={-1} data-request={need.id}>
      <p className="line">
        <Glyph name="needs-you" tone="needs-you" />
        <span className="asker">
          <b className="strong">{agent.name}</b>{' '}
          <span className="soft small">{words.needs.wants(visible(permission.tool))}</span>
        </span>
        <span className="age">
          <Since atMs={permission.askedAtMs} />
        </span>
      </p>
      <p className="what">
        <code className={isWhole ? undefined : 'cut'}>{isWhole ? text : visible(firstLine(text))}</code>
        {!isWhole && <span className="extent">{words.text.extent(lines, grouped(chars, locale))}</span>}
      </p>
      <p className="acts">
        {isWhole ? (
          <PermissionActions permission={permission} isArmed={isArmed} size="s" />
        ) : (
          <button type="button" className="btn s" onClick={() => showNeeds(need.id)}>
            {words.needs.look}
          </button>
        )}
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
      <span className="soft small truncate" title={summaryOf(need, words)}>
        {summaryOf(need, words)}
      </span>
      {need.sinceMs !== null && (
        <span className="age">
          <Since atMs={need.sinceMs} />
        </span>
      )}
    </button>
  )
}
