import { useRef } from 'react'
import { useStore } from 'zustand'
import { reasonText } from '../../state/failureText'
import { actOnLayout } from '../../state/layouts'
import type { ProjectFacts } from '../../state/project'
import { openDialog, openMenu, selectionStore } from '../../state/selection'
import { findOpener } from '../../ui/focus'
import { Icon } from '../../ui/Icon'
import { Menu, MenuChoice, MenuItem, MenuLabel, MenuRule } from '../../ui/Menu'
import { Sentence } from '../../ui/Sentence'
import { useWords } from '../../words/useWords'
import { layoutName } from './layoutName'
import { SharingItems } from './SharingItems'

/** The name of the layout in view; opens the list of all, and what can be done with this one. */
export function LayoutMenu({ project }: { project: ProjectFacts }) {
  const words = useWords()
  const isOpen = useStore(selectionStore, ({ menu }) => menu === 'layouts')
  const from = useRef<HTMLElement | null>(null)
  const { current, entries, broken } = project.layouts
  const turn = (willOpen: boolean) => {
    if (willOpen) from.current = findOpener()
    openMenu(willOpen ? 'layouts' : null)
  }
  const show = (name: string) => void actOnLayout('show', project.id, name, words.layouts.notShown)
  const isOnly = entries.filter(({ sharing }) => sharing !== 'offered').length === 1
  return (
    <Menu
      align="end"
      opened={{ isOpen, onOpenChange: turn, from }}
      trigger={
        <button type="button" className="ib" aria-label={words.layouts.label(layoutName(current, words))}>
          <Icon name="grid" size="s" />
          <span className="word truncate layout-name">{layoutName(current, words)}</span>
        </button>
      }
    >
      <MenuChoice
        value={current}
        onChoose={show}
        choices={entries.map(({ name, sharing }) => ({
          value: name,
          label: (
            <>
              <span className="strong truncate">{layoutName(name, words)}</span>
              {sharing !== 'own' && <span className="then">{words.layouts.sharing[sharing]}</span>}
            </>
          ),
        }))}
      />
      {broken.map((one) => (
        <MenuLabel key={one.name}>
          <Sentence text={words.layouts.broken(one.name, reasonText(one, words))} />
        </MenuLabel>
      ))}
      <MenuRule />
      <MenuItem icon="plus" onSelect={() => openDialog({ name: 'saveLayoutAs' })}>
        {words.layouts.saveAs}
      </MenuItem>
      <MenuItem icon="pencil" onSelect={() => openDialog({ name: 'renameLayout', layout: current })}>
        {words.layouts.rename}
      </MenuItem>
      <SharingItems project={project} />
      <MenuRule />
      <MenuItem
        icon="x"
        isDanger={!isOnly}
        isDisabled={isOnly}
        onSelect={() => openDialog({ name: 'deleteLayout', layout: current })}
      >
        {words.layouts.delete}
      </MenuItem>
    </Menu>
  )
}
