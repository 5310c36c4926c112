"""Where the project's setting says so, agents that ran go on when it is opened, or as soon as it is trusted."""

import logging
from collections.abc import Callable

from idea.application.restart.resume_agents import ResumeAgents
from idea.application.sessions.resumable_agents import ResumableAgents
from idea.application.supervisor import Supervisor
from idea.domain.errors import IdeaError, TrustRequired
from idea.domain.events import Event, TrustChanged
from idea.domain.settings import Settings

_log = logging.getLogger(__name__)


class ResumeByItself:
    """Once an opening: what is lost later, a person looks at first."""

    def __init__(
        self,
        *,
        resumable: ResumableAgents,
        resume: ResumeAgents,
        settings: Callable[[], Settings],
        supervisor: Supervisor,
    ) -> None:
        self._resumable = resumable
        self._resume = resume
        self._settings = settings
        self._supervisor = supervisor
        self._waits_for_trust = False

    def begin(self) -> None:
        """The agents' door is open."""
        if self._settings().resume == "auto" and any(each.can_resume for each in self._resumable.list()):
            self._supervisor.start(self._resume_all, name="resume")

    def follow(self, event: Event) -> None:
        if self._waits_for_trust and isinstance(event, TrustChanged) and event.verdict.is_trusted:
            self._waits_for_trust = False
            self.begin()

    async def _resume_all(self) -> None:
        # Before the attempt: the approval may come in the middle of it.
        self._waits_for_trust = True
        try:
            resumed = await self._resume.resume(None)
        except TrustRequired:
            return
        self._waits_for_trust = False
        for each in resumed:
            if isinstance(each.outcome, IdeaError):
                _log.warning("%s did not go on by itself: %s", each.agent, each.outcome)
