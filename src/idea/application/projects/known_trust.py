"""Whether a project is trusted, as last seen: whoever looks, everybody who watches the project is told."""

from collections.abc import Callable, Mapping
from pathlib import Path

from idea.application.ports import Trust
from idea.domain.errors import Conflict
from idea.domain.events import Event, TrustChanged
from idea.domain.ids import ProjectId
from idea.domain.trust import TrustVerdict


class KnownTrust:
    """A `Trust` that remembers. Not every file behind it is watched: a launch may be the first to find a change."""

    def __init__(self, project: ProjectId, trust: Trust, *, publish: Callable[[Event], None]) -> None:
        self._project = project
        self._trust = trust
        self._publish = publish
        self.verdict = TrustVerdict(is_trusted=False, subject_hash="", items=())

    async def look(self) -> TrustVerdict:
        return self._know(await self._trust.look())

    async def judge(self, sources: Mapping[Path, str]) -> TrustVerdict:
        """Raises `Conflict` if one of `sources` is something else by now."""
        return self._know(await self._trust.judge(sources))

    async def approve(self, subject_hash: str) -> TrustVerdict:
        """Raises `Conflict` if the content is no longer what `subject_hash` names, and tells what it is."""
        try:
            return self._know(await self._trust.approve(subject_hash))
        except Conflict:
            # Without it whoever approves goes on reading, and quoting, what is no longer there.
            await self.look()
            raise

    async def record_own_write(self, path: Path) -> None:
        await self._trust.record_own_write(path)

    def _know(self, verdict: TrustVerdict) -> TrustVerdict:
        if verdict != self.verdict:
            self.verdict = verdict
            self._publish(TrustChanged(self._project, verdict))
        return verdict
