"""How a project is opened: all that it keeps is read, what a server before left is taken up, and work begins."""

from idea.application.layouts.running_marks import RunningMarks
from idea.application.projects.known_settings import KnownSettings
from idea.application.projects.notices import Notices
from idea.application.projects.project_files import ProjectFiles
from idea.application.restart.restore import Restore
from idea.application.restart.resume_by_itself import ResumeByItself
from idea.application.sessions.agent_hooks import AgentHooks
from idea.application.supervisor import Supervisor
from idea.application.turns.open_asks import OpenAsks
from idea.application.turns.turn_runner import TurnRunner


class ProjectStart:
    """`load`, then `begin`."""

    def __init__(
        self,
        *,
        restore: Restore,
        settings: KnownSettings,
        marks: RunningMarks,
        files: ProjectFiles,
        notices: Notices,
        turns: TurnRunner,
        hooks: AgentHooks,
        open_asks: OpenAsks,
        by_itself: ResumeByItself,
        supervisor: Supervisor,
    ) -> None:
        self._restore = restore
        self._settings = settings
        self._marks = marks
        self._files = files
        self._notices = notices
        self._turns = turns
        self._hooks = hooks
        self._open_asks = open_asks
        self._by_itself = by_itself
        self._supervisor = supervisor

    async def load(self) -> None:
        """Read everything the project keeps. Starts no agent; unusable files were set aside and are reported."""
        await self._restore.load()
        await self._settings.load()
        self._notices.tell(await self._marks.load())
        await self._files.reload()
        await self._marks.begin()
        await self._restore.forget_lost()

    def begin(self) -> None:
        """The agents' door is open: messages that wait are taken from now on."""
        self._turns.begin()
        self._supervisor.start(self._hooks.hear_missed, name="missed-hooks")
        self._open_asks.begin()
        self._by_itself.begin()
