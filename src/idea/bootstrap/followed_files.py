"""What people and agents change in a project's files, taken over while the project is open."""

import asyncio
import logging

from idea.adapters.storage.database import Database
from idea.application.ports import ProjectPaths
from idea.application.projects.notices import Notices
from idea.application.projects.project_files import ProjectFiles
from idea.bootstrap.project_place import ProjectPlace
from idea.domain.errors import IdeaError
from idea.domain.file_trouble import changes_not_taken, state_removed

_log = logging.getLogger(__name__)


class FollowedFiles:
    def __init__(
        self, paths: ProjectPaths, files: ProjectFiles, *, place: ProjectPlace, database: Database, notices: Notices
    ) -> None:
        self._paths = paths
        self._files = files
        self._place = place
        self._database = database
        self._notices = notices
        self._changed = asyncio.Event()

    def changed(self) -> None:
        """Something did. In the loop's thread."""
        self._changed.set()

    async def run(self) -> None:
        """Until cancelled."""
        while True:
            await self._changed.wait()
            self._changed.clear()
            try:
                await self._take_over()
            except IdeaError as error:
                # The folder was replaced by something we refuse; the agents that run must not end for it.
                self._notices.tell(changes_not_taken(error))
            except Exception:  # noqa: BLE001 - nor for a file of somebody else's over which our own code stumbles
                _log.exception("%s: the changed files could not be taken over", self._paths.root.name)
                self._notices.tell(changes_not_taken())

    async def _take_over(self) -> None:
        if not await asyncio.to_thread(self._place.is_there):
            await asyncio.to_thread(self._place.make_again)
            await self._database.write_again()
            await self._files.write_again()
            self._notices.tell(state_removed(str(self._paths.state)))
        await self._files.reload()
