"""A named member of a project, as its file `.ideai/agents/<slug>.md` describes it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from hashlib import sha256
from typing import Final

from idea.domain.alike import composed
from idea.domain.ids import AgentId, AgentSlug
from idea.domain.why import Why

VERSION_CHARS: Final = 16
MAX_NAME_CHARS: Final = 80


class PermissionMode(StrEnum):
    """How far an agent may go without asking; each profile maps these to its CLI's own flags."""

    ASK = "ask"
    """The CLI asks for each effect (where it can ask at all)."""
    EDIT = "edit"
    """Edits in the project without asking, asks for the rest."""
    PLAN = "plan"
    """Reads only."""
    FULL = "full"
    """Never asks."""


@dataclass(frozen=True, slots=True)
class Agent:
    """The valid content of an agent file. `instructions` is its Markdown body."""

    id: AgentId
    slug: AgentSlug
    name: str
    profile: str
    """A profile id."""
    model: str | None = None
    permissions: PermissionMode = PermissionMode.ASK
    capabilities: tuple[str, ...] = ()
    allow_structured_alongside_pty: bool | None = None
    """None: whatever the profile says."""
    workspace: str | None = None
    """A worktree, relative to the project root; None is the root itself."""
    instructions: str = ""

    @property
    def version(self) -> str:
        """Names what the file says: whoever edits one version must not write over another unawares."""
        return sha256(repr(self).encode("utf-8", "backslashreplace")).hexdigest()[:VERSION_CHARS]


@dataclass(frozen=True, slots=True)
class BrokenAgent:
    """A file that is no agent, with the place and the reason; the others keep working."""

    slug: AgentSlug
    line: int | None
    reason: str
    why: Why
    """The key that says the same as `reason`."""
    about: Mapping[str, object] = field(default_factory=dict, hash=False)

    def fields(self) -> dict[str, object]:
        """What the key's sentence names, and the key."""
        return {"why": self.why, **self.about}

    def explain(self) -> str:
        """A clause with the line, where that is known."""
        return self.reason if self.line is None else f"line {self.line}: {self.reason}"


@dataclass(frozen=True, slots=True)
class AgentDraft:
    """What a person fills in to create or edit an agent; the store adds id and file."""

    name: str
    profile: str
    slug: AgentSlug | None = None
    """None on creation: made from the name."""
    model: str | None = None
    permissions: PermissionMode = PermissionMode.ASK
    capabilities: tuple[str, ...] = field(default=())
    allow_structured_alongside_pty: bool | None = None
    workspace: str | None = None
    instructions: str = ""

    def to_agent(self, agent: AgentId, slug: AgentSlug) -> Agent:
        """The agent that this describes, under an id and in a file that are its own."""
        return Agent(
            id=agent,
            slug=slug,
            name=composed(self.name),
            profile=self.profile,
            model=self.model,
            permissions=self.permissions,
            capabilities=self.capabilities,
            allow_structured_alongside_pty=self.allow_structured_alongside_pty,
            workspace=self.workspace,
            instructions=self.instructions,
        )
