"""Which secret stands for which session of one project's agents, as long as its present launch lasts."""

import hmac
import os
from collections.abc import Callable, Collection
from pathlib import Path

from idea.domain.ids import AgentId, ProjectId
from idea.domain.sessions import SessionRole
from idea.doors.mcp.endpoint import (
    ensure_private,
    find_secret,
    remove_secret,
    secret_path,
    sweep_secrets,
    write_secret,
)


class LaunchSecrets:
    """Kept here for the door, and in a 0600 file each for the bridges. May be used from any thread.

    `lasting` is a folder that outlives the user's login, as the sessions do: with the last login goes the runtime
    folder, and a server that was killed cannot write it again.
    """

    def __init__(self, runtime: Path, lasting: Path, project: ProjectId) -> None:
        self._runtime = runtime
        self._lasting = lasting
        self._project = project
        self._secrets: dict[tuple[AgentId, SessionRole], str] = {}
        self._on_changed: Callable[[AgentId], None] | None = None

    def watch(self, on_changed: Callable[[AgentId], None] | None) -> None:
        """`on_changed` learns, from any thread, whose secret has just stopped to be good or began to; None ends it."""
        self._on_changed = on_changed

    def write(self, agent: AgentId, role: SessionRole, secret: str) -> None:
        """A new launch: from now on only this secret stands for the session."""
        self._secrets[agent, role] = secret
        self._tell(agent)
        write_secret(ensure_private(self._lasting), self._project, agent, secret, role)
        write_secret(self._runtime, self._project, agent, secret, role)

    def restore(self, sessions: Collection[tuple[AgentId, SessionRole]]) -> None:
        """Of all that an earlier server wrote, only the secrets of these, which still run, are good again.

        Raises:
            Refused: a file that is gone cannot be written again.
        """
        for agent, role in sessions:
            path = secret_path(self._runtime, self._project, agent, role)
            # What is there, but is not ours alone, is no secret any more: that one must not come back.
            is_gone = not os.path.lexists(path)
            secret = find_secret(self._lasting if is_gone else self._runtime, self._project, agent, role)
            if secret is None:
                continue
            if is_gone:
                write_secret(self._runtime, self._project, agent, secret, role)
            self._secrets[agent, role] = secret
        for folder in (self._runtime, self._lasting):
            sweep_secrets(folder, self._project, keep=self._secrets)

    def remove(self, agent: AgentId, role: SessionRole) -> None:
        """The session has ended: nothing stands for it. Idempotent."""
        self._secrets.pop((agent, role), None)
        self._tell(agent)
        for folder in (self._runtime, self._lasting):
            remove_secret(folder, self._project, agent, role)

    def write_again(self) -> None:
        """Where somebody removed the files: the agents go on, and their CLIs may start more bridges."""
        for (agent, role), secret in tuple(self._secrets.items()):
            write_secret(self._runtime, self._project, agent, secret, role)

    def authenticate(self, agent: AgentId, role: SessionRole, secret: str) -> bool:
        """Takes the same time for every wrong secret."""
        known = self._secrets.get((agent, role))
        return known is not None and hmac.compare_digest(known.encode(), secret.encode("utf-8", "replace"))

    def _tell(self, agent: AgentId) -> None:
        on_changed = self._on_changed
        if on_changed is not None:
            on_changed(agent)
