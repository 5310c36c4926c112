import { useStore } from 'zustand'
import { useClosing } from '../../bind/useEnding'
import { closeProject } from '../../state/openProject'
import { type ProjectFacts, projectStore } from '../../state/project'
import { chooseProject, openDialog } from '../../state/selection'
import { Icon } from '../../ui/Icon'
import { Menu, MenuChoice, MenuItem, MenuRule } from '../../ui/Menu'
import { useWords } from '../../words/useWords'

/** The project's name; opens the list of open projects. */
export function ProjectMenu({ projectId }: { projectId: string }) {
  const words = useWords()
  const projects = useStore(projectStore)
  const project = projects.get(projectId)
  if (project === undefined) return null
  return (
    <Menu
      trigger={
        <button type="button" className="project" title={project.path}>
          <span className="truncate">{project.name}</span>
          {project.isDemo && <span className="tag">{words.project.demo}</span>}
          <Icon name="down" />
        </button>
      }
    >
      <MenuChoice
        value={projectId}
        onChoose={chooseProject}
        choices={[...projects.values()].map((one) => ({
          value: one.id,
          label: (
            <span className="stacked">
              <span className="strong">{one.name}</span>
              <span className="muted small mono truncate">{one.path}</span>
            </span>
          ),
        }))}
      />
      <MenuRule />
      <MenuItem icon="folder" onSelect={() => openDialog({ name: 'openProject' })}>
        {words.project.open}
      </MenuItem>
      <CloseItem project={project} />
    </Menu>
  )
}

/** Mounted while the list is open: it counts what runs then. */
function CloseItem({ project: { id, name } }: { project: ProjectFacts }) {
  const words = useWords()
  const ends = useClosing(id)
  return (
    <MenuItem icon="x" detail={ends} onSelect={() => void closeProject(id, words.project.notClosed)}>
      {words.project.close(name)}
    </MenuItem>
  )
}
