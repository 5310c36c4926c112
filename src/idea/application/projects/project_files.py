"""What of an open project is taken over from its files, whoever changed them."""

from idea.application.layouts.project_layouts import ProjectLayouts
from idea.application.projects.known_settings import KnownSettings
from idea.application.projects.known_trust import KnownTrust
from idea.application.projects.team_files import TeamFiles
from idea.application.restart.restore import Restore
from idea.application.team.team import Team


class ProjectFiles:
    def __init__(
        self,
        *,
        team: Team,
        team_files: TeamFiles,
        restore: Restore,
        settings: KnownSettings,
        trust: KnownTrust,
        layouts: ProjectLayouts,
    ) -> None:
        self._team = team
        self._team_files = team_files
        self._restore = restore
        self._settings = settings
        self._trust = trust
        self._layouts = layouts

    async def reload(self) -> None:
        """Take over what people and agents edited, and tell of it. Raises `Refused`, `Conflict`."""
        await self._team_files.reload()
        self._restore.tell_lost()
        if not self._team.broken:
            # A file that is broken for the moment may be a living agent's, which is taken up once it is mended.
            await self._restore.abandon_rest()
        await self._settings.reload()
        await self._trust.look()
        await self._layouts.reload()

    async def write_again(self) -> None:
        """The project's private folder was removed and is there again: the next server is to find what this one knows.

        Raises:
            Refused, Conflict: it cannot be written.
        """
        await self._layouts.write_again()
