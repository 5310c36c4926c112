"""What an agent may be called, and who is meant by a name: no agent of a project may be taken for another."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Protocol, TypeVar

from idea.domain.agents import MAX_NAME_CHARS, Agent, BrokenAgent
from idea.domain.alike import composed, reading
from idea.domain.errors import Conflict
from idea.domain.ids import is_slug

RESERVED_NAMES: Final = {"human", "file"}
"""As requesters are called in records and answers: an agent of that name would pass for the person."""


def explain_bad_name(name: str) -> str | None:
    """A clause, or None for a usable name."""
    name = composed(name)
    if name != name.strip() or not reading(name):
        return "must have something to be seen, and not begin or end with a space"
    if len(name) > MAX_NAME_CHARS:
        return f"must have at most {MAX_NAME_CHARS} characters"
    if not all(char.isprintable() for char in name):
        return "must not contain control or invisible characters"
    if reading(name) in RESERVED_NAMES:
        return "must not be what IdeA calls somebody who is no agent"
    return None


class HasNames(Protocol):
    @property
    def id(self) -> str: ...

    @property
    def slug(self) -> str: ...

    @property
    def name(self) -> str: ...


A = TypeVar("A", bound=HasNames)


def find_named(agents: Iterable[A], wanted: str) -> A | None:
    """The first by id, else by slug, else by name; the last two as they read."""
    known = tuple(agents)
    wanted_reading = reading(wanted)
    by_id = (agent for agent in known if agent.id == wanted != "")
    by_slug = (agent for agent in known if agent.slug == wanted_reading != "")
    by_name = (agent for agent in known if reading(agent.name) == wanted_reading != "")
    return next((agent for found in (by_id, by_slug, by_name) for agent in found), None)


def names_of(agent: Agent) -> tuple[str, ...]:
    """All that it is addressed by."""
    return (agent.name, agent.slug, agent.id)


@dataclass(frozen=True, slots=True)
class Mistakable:
    """`name`, which an agent would go by, reads like one of another's: `other`, whose file is `file`."""

    name: str
    other: str
    file: str

    def explain(self) -> str:
        """A clause."""
        return f"{self.name} could be taken for {self.other}, whose file is {self.file}; choose another name"

    def fields(self) -> dict[str, object]:
        return {"name": self.name, "other": self.other, "file": self.file}

    def refusal(self) -> Conflict:
        return Conflict(
            f"{self.name} could be taken for {self.other}, whose file is {self.file}. Choose another name.",
            why="agentNameTaken",
            **self.fields(),
        )


class TakenNames:
    """What the agents of a project are addressed by, as it reads; whoever comes later goes by something else."""

    def __init__(self, agents: Iterable[Agent] = (), *, broken: Iterable[BrokenAgent] = ()) -> None:
        """A broken file's agent may come back: it keeps its file's name."""
        files = (each.slug for each in broken if is_slug(each.slug))
        self._holders: dict[str, tuple[str, str]] = {slug: (slug, slug) for slug in files}
        for agent in agents:
            self.add(agent)

    def add(self, agent: Agent) -> None:
        for name in names_of(agent):
            self._holders.setdefault(reading(name), (agent.name, agent.slug))

    def find(self, *names: str) -> Mistakable | None:
        """Of the first of the names that is taken."""
        for name in names:
            holder = self._holders.get(reading(name))
            if holder is not None:
                return Mistakable(name, holder[0], f"{holder[1]}.md")
        return None
