"""The command line of an agent's bridge, as a launch declares it to the CLI."""

import sys
from pathlib import Path

from idea import bridge
from idea.domain.ids import AgentId, ProjectId
from idea.domain.sessions import SessionRole


def bridge_command(endpoint: Path, project: ProjectId, agent: AgentId, role: SessionRole) -> tuple[str, ...]:
    """Program and arguments, absolute, so that no PATH, shim or working directory of the CLI plays a part.

    `-I -S`: the bridge needs no site-packages, and neither the user's PYTHON* variables nor a `usercustomize` get in.
    """
    return (
        sys.executable,
        "-I",
        "-S",
        str(Path(bridge.__file__).resolve()),
        "mcp-server",
        "--endpoint",
        str(endpoint),
        "--project",
        project,
        "--requester",
        agent,
        *(("--side",) if role is SessionRole.SIDE else ()),
    )
