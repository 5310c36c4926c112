"""What a person should know about a project: told as events, and kept until somebody has read it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from idea.domain.ids import AgentSlug, ProjectId

NoticeCode = Literal[
    "sessionLost",
    "sessionFound",
    "spontaneousTurn",
    "fileTrouble",
    "keeperLost",
    "projectEnded",
    "projectNotOpened",
    "screenLost",
]
"""A key of the page's catalogue."""


@dataclass(frozen=True, slots=True)
class NoticePosted:
    """Something a person should know and nothing else shows: what happened, why, what to do."""

    project: ProjectId
    code: NoticeCode
    detail: str
    slug: AgentSlug | None = None
    number: int = 0
    """Given by the project's notices, counting up; it names the notice when it is dismissed."""
    fields: Mapping[str, object] = field(default_factory=dict)
    """As those of an error: what says the same as `detail` in every language; empty for a CLI's own words."""


@dataclass(frozen=True, slots=True)
class NoticeDismissed:
    """Somebody has read it; nobody else needs to."""

    project: ProjectId
    number: int
