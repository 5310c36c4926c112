"""Keeps the layouts' marks in step with what runs, so that the file says what ran when nobody could write any more."""

import logging
from collections.abc import Callable
from contextlib import suppress

from idea.application.layouts.project_layouts import ProjectLayouts
from idea.application.ports import StoppedAgents
from idea.application.sessions.resumable_agents import ResumableAgents
from idea.application.supervisor import Supervisor
from idea.domain.errors import Closed, IdeaError
from idea.domain.events import Event, ResumableChanged, SessionChanged
from idea.domain.file_trouble import FileTrouble

_log = logging.getLogger(__name__)


class RunningMarks:
    """One writer at a time: what changes while it writes is written once, however often it changed."""

    def __init__(
        self,
        *,
        layouts: ProjectLayouts,
        resumable: ResumableAgents,
        stopped: StoppedAgents,
        supervisor: Supervisor,
        on_trouble: Callable[[IdeaError], None],
    ) -> None:
        self._layouts = layouts
        self._resumable = resumable
        self._stopped = stopped
        self._supervisor = supervisor
        self._on_trouble = on_trouble
        self._is_behind = False
        self._is_writing = False
        self._is_frozen = True
        """Before everything is read, and after the end began: what ends then has not stopped running."""

    async def load(self) -> FileTrouble | None:
        """Before the team is read: what the file says that ran is offered, unless something better is known of it."""
        trouble = await self._layouts.load()
        self._resumable.load(self._layouts.ran().values(), stopped=await self._stopped.load())
        return trouble

    async def begin(self) -> None:
        """All that the server before left is taken up, or lost: written only if the file says anything else."""
        self._is_frozen = False
        self._resumable.begin()
        try:
            await self._layouts.mark(self._resumable.ran())
            # Only then: a server that is killed before finds both, and does the same again.
            await self._stopped.forget()
        except IdeaError as error:
            self._tell(error)

    def follow(self, event: Event) -> None:
        if self._is_frozen or not isinstance(event, (SessionChanged, ResumableChanged)):
            return
        self._is_behind = True
        if not self._is_writing:
            # A project that closes has said what runs.
            with suppress(Closed):
                self._supervisor.start(self._write, name="running-marks")
                self._is_writing = True

    async def freeze(self) -> None:
        """The agents are about to be stopped, or left: the file keeps saying what runs now."""
        if not self._is_frozen:
            self._is_frozen = True
            await self._write_once()

    async def _write(self) -> None:
        try:
            while self._is_behind and not self._is_frozen:
                self._is_behind = False
                await self._write_once()
        finally:
            self._is_writing = False

    async def _write_once(self) -> None:
        try:
            await self._layouts.mark(self._resumable.ran())
        except IdeaError as error:
            self._tell(error)

    def _tell(self, error: IdeaError) -> None:
        # A full disk must not keep agents from running or a project from closing; the next change tries again.
        _log.warning("what runs could not be written down: %s", error)
        self._on_trouble(error)
