"""What a project would make run, and whether a person approved exactly that."""

from dataclasses import dataclass
from enum import StrEnum


class TrustKind(StrEnum):
    COMMAND = "command"
    ENVIRONMENT = "environment"
    PERMISSION_MODE = "permissionMode"
    HOOK = "hook"
    MCP_SERVER = "mcpServer"
    FILE = "file"
    """A configuration file whose content we do not interpret."""


@dataclass(frozen=True, slots=True)
class TrustItem:
    """One thing that would run or change what runs. `file` is relative to the project root."""

    kind: TrustKind
    file: str
    text: str
    """The command, `NAME=value`, mode or server, verbatim."""


@dataclass(frozen=True, slots=True)
class TrustVerdict:
    """`subject_hash` covers the path and every byte of each file named in `items`."""

    is_trusted: bool
    subject_hash: str
    items: tuple[TrustItem, ...]
    """What awaits approval; empty when trusted."""
