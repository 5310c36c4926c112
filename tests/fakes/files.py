"""The files that people edit, and whether they are trusted, in memory."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from idea.domain.errors import Conflict, IdeaError
from idea.domain.file_trouble import FileTrouble
from idea.domain.ids import AgentId
from idea.domain.layouts import Layouts, check_layout_name
from idea.domain.settings import Settings
from idea.domain.shared_layouts import BrokenLayout, SharedLayout
from idea.domain.trust import TrustVerdict


class FakeTrust:
    def __init__(self) -> None:
        self.verdict = TrustVerdict(is_trusted=True, subject_hash="h", items=())
        self.own_writes: list[Path] = []
        self.digests: dict[Path, str] = {}
        """Of the files as they lie on the disk."""

    async def look(self) -> TrustVerdict:
        return self.verdict

    async def judge(self, sources: Mapping[Path, str]) -> TrustVerdict:
        if self.verdict.is_trusted and any(self.digests.get(path) != digest for path, digest in sources.items()):
            raise Conflict("A file has changed.")
        return self.verdict

    async def approve(self, subject_hash: str) -> TrustVerdict:
        if subject_hash != self.verdict.subject_hash:
            raise Conflict("The content changed; look again.")
        self.verdict = replace(self.verdict, is_trusted=True, items=())
        return self.verdict

    async def record_own_write(self, path: Path) -> None:
        self.own_writes.append(path)


class FakeSettingsStore:
    def __init__(self) -> None:
        self.settings = Settings()

    async def load(self) -> tuple[Settings, Sequence[FileTrouble]]:
        return self.settings, ()

    async def save(self, settings: Settings) -> FileTrouble | None:
        self.settings = settings
        return None


class FakeLayoutStore:
    def __init__(self) -> None:
        self.layouts = Layouts()
        self.saves = 0
        self.trouble: IdeaError | None = None
        """What every save raises instead."""

    async def load(self) -> tuple[Layouts, FileTrouble | None]:
        return self.layouts, None

    async def save(self, layouts: Layouts) -> None:
        if self.trouble is not None:
            raise self.trouble
        self.layouts = layouts
        self.saves += 1


class FakeStoppedAgents:
    def __init__(self) -> None:
        self.agents: frozenset[AgentId] = frozenset()

    async def load(self) -> frozenset[AgentId]:
        return self.agents

    async def forget(self) -> None:
        self.agents = frozenset()


class FakeSharedLayoutStore:
    def __init__(self) -> None:
        self.layouts: dict[str, SharedLayout] = {}

    async def list(self) -> tuple[Sequence[SharedLayout], Sequence[BrokenLayout]]:
        return [self.layouts[name] for name in sorted(self.layouts)], ()

    async def save(self, layout: SharedLayout) -> None:
        check_layout_name(layout.name)
        self.layouts[layout.name] = layout

    async def delete(self, name: str) -> None:
        check_layout_name(name)
        self.layouts.pop(name, None)
