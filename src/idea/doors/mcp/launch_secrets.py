"""Which secret stands for which session of one project's agents, as long as its present launch lasts."""

import hmac
from collections.abc import Callable, Collection
from pathlib import Path

from idea.domain.ids import AgentId, ProjectId
from idea.domain.sessions import SessionRole
from idea.doors.mcp.endpoint import find_secret, remove_secret, sweep_secrets, write_secret


class LaunchSecrets:
    """Kept here for the door, and in a 0600 file each for the bridges. May be used from any thread."""

    def __init__(self, runtime: Path, project: ProjectId) -> None:
        self._runtime = runtime
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
        write_secret(self._runtime, self._project, agent, secret, role)

    def restore(self, sessions: Collection[tuple[AgentId, SessionRole]]) -> None:
        """Of all that an earlier server wrote, only the secrets of these, which still run, are good again."""
        for agent, role in sessions:
            secret = find_secret(self._runtime, self._project, agent, role)
            if secret is not None:
                self._secrets[agent, role] = secret
        sweep_secrets(self._runtime, self._project, keep=self._secrets)

    def remove(self, agent: AgentId, role: SessionRole) -> None:
        """The session has ended: nothing stands for it. Idempotent."""
        self._secrets.pop((agent, role), None)
        self._tell(agent)
        remove_secret(self._runtime, self._project, agent, role)

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
