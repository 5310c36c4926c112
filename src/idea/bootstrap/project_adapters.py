"""What stands behind the ports of one open project."""

import asyncio
from functools import partial
from typing import Final

from idea.adapters.conversations.catalog import ConversationCatalog
from idea.adapters.engines.registry import EngineFactory
from idea.adapters.keeper.agent_locks import KeptAgentLocks
from idea.adapters.keeper.in_process import InProcessKeeper
from idea.adapters.keeper.renewed import RenewedKeeper
from idea.adapters.patterns import matches
from idea.adapters.profiles import ProfileFiles
from idea.adapters.screen.choice import AvailableScreens
from idea.adapters.storage.agents import AgentFiles
from idea.adapters.storage.database import Database
from idea.adapters.storage.layouts import LayoutFile
from idea.adapters.storage.records import SqliteRecords
from idea.adapters.storage.run_directory import RunFolders
from idea.adapters.storage.settings import SettingsFile
from idea.adapters.storage.shared_layouts import SharedLayoutFiles
from idea.adapters.storage.stopped import StoppedFile
from idea.adapters.storage.trust import ProjectTrust
from idea.adapters.storage.unfinished_work import SqliteUnfinishedWork
from idea.adapters.storage.write_journal import WriteJournal
from idea.application.ports import Clock, NewId, ProjectPaths
from idea.bootstrap.places import Places
from idea.bootstrap.project_ports import ProjectPorts
from idea.demo.project import write_demo_project
from idea.doors.mcp.command import bridge_command
from idea.doors.mcp.hooks import hook_command
from idea.doors.mcp.launch_secrets import LaunchSecrets

LAUNCHES_FOLDER: Final = "launches"
"""Of the user's state: the secrets of the agents that run."""


class ProjectAdapters:
    """Reads and writes nothing before it is asked to. `database` and the keeper are the caller's to open and end."""

    def __init__(self, paths: ProjectPaths, places: Places) -> None:
        self._paths = paths
        self._places = places
        self.database = Database(paths.state)
        self.settings = SettingsFile(paths.ideai)
        self.secrets = LaunchSecrets(paths.endpoint.parent, places.state / LAUNCHES_FOLDER, paths.id)
        self._journal = WriteJournal()
        self._trust = ProjectTrust(paths.root, paths.id, state_home=places.state, journal=self._journal)

    def ports(self, keeper: InProcessKeeper | RenewedKeeper, *, clock: Clock, new_id: NewId) -> ProjectPorts:
        paths = self._paths
        profiles = ProfileFiles(user_dir=self._places.config / "profiles", project_dir=paths.ideai / "profiles")
        return ProjectPorts(
            keeper=keeper,
            engines=EngineFactory(),
            screens=AvailableScreens(),
            matches=matches,
            profiles=profiles,
            trust=self._trust,
            run_directories=RunFolders(
                paths,
                environment=profiles.environment,
                bridge_command=partial(bridge_command, paths.endpoint, paths.id),
                hook_command=partial(hook_command, paths.endpoint, paths.id),
                write_secret=self.secrets.write,
                remove_secret=self.secrets.remove,
                user_servers=self._trust.approved_servers,
            ),
            locks=KeptAgentLocks(keeper, paths.state),
            records=SqliteRecords(self.database),
            work=SqliteUnfinishedWork(self.database),
            agents=AgentFiles(paths.ideai, new_id=new_id, journal=self._journal),
            settings=self.settings,
            layouts=LayoutFile(paths.state),
            shared_layouts=SharedLayoutFiles(paths.ideai),
            earlier=ConversationCatalog(paths, environment=profiles.environment),
            stopped=StoppedFile(paths.state),
            clock=clock,
            new_id=new_id,
        )

    async def write_demo(self) -> None:
        """The files of the demo project, trusted as our own."""
        for path in await asyncio.to_thread(write_demo_project, self._paths.root):
            self._journal.note(path, before=None, after=await asyncio.to_thread(path.read_bytes))
            await self._trust.record_own_write(path)
