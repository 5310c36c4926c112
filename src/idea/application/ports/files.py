"""The files of one project that people edit, and whether they are trusted."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, Protocol, TypeVar

from idea.domain.agents import Agent, AgentDraft, BrokenAgent
from idea.domain.file_trouble import FileTrouble
from idea.domain.ids import AgentSlug, ProjectId
from idea.domain.layouts import Layouts
from idea.domain.settings import Settings
from idea.domain.shared_layouts import BrokenLayout, SharedLayout
from idea.domain.trust import TrustVerdict

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class ProjectPaths:
    """Where one project's things lie. Only `root` and `.ideai` are inside the project."""

    id: ProjectId
    root: Path
    ideai: Path
    run: Path
    state: Path
    endpoint: Path
    """The MCP socket."""


@dataclass(frozen=True, slots=True)
class FromFiles(Generic[T]):
    """A value together with what it was read from, so that exactly this can be judged."""

    value: T
    sources: Mapping[Path, str]
    """Files of the project, each with the SHA-256 (hex) of the bytes that were read."""


class AgentStore(Protocol):
    """The agent files of one project."""

    async def list(self) -> tuple[Sequence[Agent], Sequence[BrokenAgent]]:
        """By slug. Files that are no agents are told apart, with the reason.

        Raises:
            Refused, Conflict: the folder, or a file in it just now, cannot be read.
        """
        ...

    async def read(self, slug: AgentSlug) -> FromFiles[Agent]:
        """As the file says now. Raises `NotFound` if it is gone, `Conflict` if it is broken."""
        ...

    async def create(self, draft: AgentDraft) -> Agent:
        """Raises `Invalid` for an unusable name, `Conflict` if the slug is taken."""
        ...

    async def save(self, agent: Agent, *, base: str | None = None) -> None:
        """Rewrite the file, keeping unknown keys and comments.

        Raises:
            NotFound: the file is gone.
            Conflict: it is broken, belongs to another agent by now, or says something else than version `base`.
        """
        ...

    async def delete(self, slug: AgentSlug) -> None:
        """Idempotent."""
        ...


class SettingsStore(Protocol):
    async def load(self) -> tuple[Settings, Sequence[FileTrouble]]:
        """The settings and, where something in the file is unusable or unknown, what that is. Changes nothing."""
        ...

    async def save(self, settings: Settings) -> FileTrouble | None:
        """What had to be put out of the way for it. Raises `Refused`, `Conflict`."""
        ...


class LayoutStore(Protocol):
    async def load(self) -> tuple[Layouts, FileTrouble | None]:
        """Writes nothing but the new name of a file that cannot be used."""
        ...

    async def save(self, layouts: Layouts) -> None:
        """Raises `Refused`, `Conflict`; what was there is there then."""
        ...


class SharedLayoutStore(Protocol):
    """What the team shares; a person may change it at any time."""

    async def list(self) -> tuple[Sequence[SharedLayout], Sequence[BrokenLayout]]:
        """By name. Files that are no layouts are told apart, with the reason.

        Raises:
            Conflict: one of them cannot be read just now.
        """
        ...

    async def save(self, layout: SharedLayout) -> None:
        """Raises `Invalid` for its name, `Refused`, `Conflict`."""
        ...

    async def delete(self, name: str) -> None:
        """Idempotent. Raises as `save`."""
        ...


class Trust(Protocol):
    """What the project would make run, and what was approved; approvals live outside the project."""

    async def look(self) -> TrustVerdict: ...

    async def judge(self, sources: Mapping[Path, str]) -> TrustVerdict:
        """`look`, for somebody who will run what `sources` (as in `FromFiles`) say.

        Raises:
            Conflict: all is approved as it is now, but one of `sources` is something else by now.
        """
        ...

    async def approve(self, subject_hash: str) -> TrustVerdict:
        """Raises `Conflict` if the content is no longer what `subject_hash` names."""
        ...

    async def record_own_write(self, path: Path) -> None:
        """IdeA itself wrote this file at the person's word; its present content needs no approval.

        Only if the file was trusted, or absent, before.
        """
        ...
