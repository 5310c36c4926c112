"""What a project would make run, and whether a person approved exactly that."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Literal


class TrustKind(StrEnum):
    COMMAND = "command"
    ENVIRONMENT = "environment"
    PERMISSION_MODE = "permissionMode"
    HOOK = "hook"
    MCP_SERVER = "mcpServer"
    FILE = "file"
    """A configuration file whose content we do not interpret."""


TrustNote = Literal[
    "runsProfile",
    "agentUnusable",
    "notUnderstood",
    "notInterpreted",
    "alsoSets",
    "empty",
    "more",
    "gone",
    "unreadable",
    "notAFile",
    "tooLarge",
    "leadsElsewhere",
    "tooManyFiles",
]
"""What we say of a file where nothing of it can be quoted; a key of the page's catalogue."""


@dataclass(frozen=True, slots=True)
class TrustItem:
    """One thing that would run or change what runs. `file` is relative to the project root."""

    kind: TrustKind
    file: str
    text: str
    """The command, `NAME=value`, mode or server, whole and in its own lines, what is not seen written out
    (`visible_text`); with a `note` its sentence in English."""
    note: TrustNote | None = None
    fields: Mapping[str, object] = field(default_factory=dict)
    """What the note's sentence names."""


@dataclass(frozen=True, slots=True)
class TrustVerdict:
    """`subject_hash` covers the path and every byte of each file named in `items`."""

    is_trusted: bool
    subject_hash: str
    items: tuple[TrustItem, ...]
    """What awaits approval; empty when trusted."""
