import { useStore } from 'zustand'
import { closeProject } from '../../state/openProject'
import { projectStore } from '../../state/project'
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
      <MenuItem icon="x" onSelect={() => void closeProject(projectId, words.project.notClosed)}>
        <span className="stacked">
          <span>{words.project.close(project.name)}</span>
          <span className="muted small">{words.project.closeDetail}</span>
        </span>
      </MenuItem>
    </Menu>
  )
}
