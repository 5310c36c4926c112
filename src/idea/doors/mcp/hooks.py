"""A CLI's hooks: how one is called, and what it tells. The program itself is `idea.hook`."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from idea import hook
from idea.domain.errors import Refused
from idea.domain.ids import AgentId, ProjectId
from idea.domain.terminal_signs import RanHook

_MAX_EVENT_CHARS: Final = 64


def hook_command(
    endpoint: Path, project: ProjectId, agent: AgentId, *, kept: Path, fields: Sequence[str]
) -> tuple[str, ...]:
    """Program and arguments, absolute and isolated, like the bridge's. It keeps its last word in `kept`."""
    program = (sys.executable, "-I", "-S", str(Path(hook.__file__).resolve()))
    identity = ("--endpoint", str(endpoint), "--project", project, "--requester", agent)
    return (*program, *identity, "--keep", str(kept), "--fields", ",".join(fields))


def parse_hook(value: object) -> RanHook:
    """Raises `Refused` for what no hook of ours tells."""
    match value:
        case {"event": str(event), "fields": dict(fields)} if event and len(event) <= _MAX_EVENT_CHARS:
            return RanHook.told(event, fields)
        case _:
            raise Refused("A hook tells its event and the fields that it was asked for. Start the agent from IdeA.")
