import { actOnLayout, type LayoutAct } from '../../state/layouts'
import type { ProjectFacts } from '../../state/project'
import type { IconName } from '../../ui/Icon'
import { MenuItem } from '../../ui/Menu'
import type { Sharing } from '../../wire/shapes'
import { useWords } from '../../words/useWords'

type Act = Exclude<LayoutAct, 'show'>

const ACTS: Readonly<Record<Sharing, readonly Act[]>> = {
  own: ['share'],
  shared: ['unshare'],
  changed: ['share', 'take', 'unshare'],
  offered: [],
}

const ICONS: Readonly<Record<Act, IconName>> = { share: 'branch', take: 'down-load', unshare: 'minus' }

/** What can be done about the file that others of the project see, by what stands in it. */
export function SharingItems({ project }: { project: ProjectFacts }) {
  const words = useWords()
  const { current, entries } = project.layouts
  const sharing = entries.find(({ name }) => name === current)?.sharing ?? 'own'
  const told = { ...words.layouts.act, ...(sharing === 'changed' ? { share: words.layouts.shareAgain } : {}) }
  return ACTS[sharing].map((act) => (
    <MenuItem
      key={act}
      icon={ICONS[act]}
      onSelect={() => void actOnLayout(act, project.id, current, words.layouts.notDone)}
    >
      <span className="stacked">
        <span>{told[act].label}</span>
        <span className="muted small">{told[act].detail(current)}</span>
      </span>
    </MenuItem>
  ))
}
