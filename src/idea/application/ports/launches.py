"""What a launch needs beside a process: a profile, a run directory, the sole right to the agent."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Protocol

from idea.application.ports.files import FromFiles
from idea.domain.agents import Agent
from idea.domain.ids import AgentId, AgentSlug
from idea.domain.profiles import Profile, ProfileHealth
from idea.domain.sessions import SessionRole
from idea.domain.terminal_signs import RanHook

AGENT_MARK: Final = "IDEA_AGENT_ID"
"""The variable by which the server knows a program that an agent runs; whoever descends from its CLI inherits it."""


@dataclass(frozen=True, slots=True)
class LaunchFiles:
    """What the run directory holds for one launch, and the values of the profile's placeholders."""

    run_dir: Path
    placeholders: Mapping[str, str]
    mcp_args: tuple[str, ...]
    hook_args: tuple[str, ...]
    """For its terminal: they name the file with our hooks. Empty where the profile has none."""
    env: Mapping[str, str]
    """The whole environment of the CLI: the common variables, the profile's, and the declaration's."""


class RunDirectories(Protocol):
    """A folder for each agent, and for each role of a session: nothing of one is touched for the other.

    It has the name of the agent's file; an agent that comes to a name which another one had finds nothing there.
    """

    async def prepare(
        self, agent: Agent, profile: Profile, role: SessionRole, *, is_same_launch: bool = False
    ) -> LaunchFiles:
        """Write declaration, context and secret, 0600 in a 0700 folder. The secret of the same launch stays."""
        ...

    async def keep_earlier(self, agent: Agent, role: SessionRole, text: str) -> None:
        """What every context of these sessions says of what was said before their conversation; empty: nothing.

        Raises:
            Refused, Conflict: it cannot be written.
        """
        ...

    async def find_last_hook(self, slug: AgentSlug) -> RanHook | None:
        """What the last hook of the agent's present terminal told; None if none ran."""
        ...

    async def retire(self, agent: AgentId, role: SessionRole) -> None:
        """The session has ended: its secret stands for nobody any more. Idempotent."""
        ...

    async def remove(self, agent: Agent) -> None:
        """The agent is deleted. Idempotent."""
        ...


class AgentLocks(Protocol):
    """One live session per agent, also across servers: a flock per agent."""

    async def acquire(self, agent: AgentId, name: str) -> str:
        """The lock, for `SpawnSpec.lock`. Raises `Refused`, naming the holder, when another has it.

        Idempotent for ourselves; held also while no server is there, as long as the agent lives.
        """
        ...

    async def release(self, agent: AgentId) -> None:
        """Idempotent."""
        ...


class ProfileCatalog(Protocol):
    def list(self) -> Sequence[Profile]: ...

    def get(self, profile: str) -> Profile:
        """Raises `NotFound`."""
        ...

    def read(self, profile: str) -> FromFiles[Profile]:
        """As the files say now, not as they were remembered. Raises `NotFound`."""
        ...

    async def health(self, profile: Profile) -> ProfileHealth:
        """Look for the CLI and ask its version (bounded)."""
        ...

    def executable(self, profile: Profile) -> str:
        """The absolute path of its program. Raises `EngineFailed` with how to get it."""
        ...
