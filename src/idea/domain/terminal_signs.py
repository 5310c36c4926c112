"""By which signs a CLI shows in its terminal what it is at, as data: patterns for title and screen, names of hooks."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final, Self

from idea.domain.unicode import without_lone_surrogates

MOST_ROWS: Final = 60
"""Of the screen, from its last one up: what is said above them is history."""
ROWS: Final = 24
ROW_CHARS: Final = 400
"""Of one row; no question or prompt needs more."""
MOST_PATTERNS: Final = 20
"""For one sign."""
PATTERN_CHARS: Final = 500
MOST_HOOKS: Final = 30
FIELDS_MOST: Final = 40
FIELD_CHARS: Final = 500
"""So much of one field of a hook is kept: it is for people."""


class Sign(StrEnum):
    """What a pattern or a hook means; where several are to be seen at once, the first of these counts."""

    TRUST = "trust"
    """It asks whether the folder may be trusted."""
    SETUP = "setup"
    """It cannot begin before the person has done something: signed in, chosen, waited for a network."""
    PERMISSION = "permission"
    QUESTION = "question"
    """It asks the person anything else."""
    LIMITED = "limited"
    STARTING = "starting"
    WORKING = "working"
    IDLE = "idle"


Patterns = Mapping[Sign, tuple[str, ...]]
"""Regular expressions without look-around; a sign is seen where one of them is found."""


@dataclass(frozen=True, slots=True)
class HookRule:
    """What it means that the CLI runs this hook."""

    event: str
    """As the CLI calls it."""
    means: Sign | None
    """None: what the hook before it said is over, and nothing takes its place."""
    where: Mapping[str, str] = field(default_factory=dict)
    """Only if these fields of what the CLI tells the hook have these patterns."""
    detail: str = ""
    """The field that holds what to show a person."""


@dataclass(frozen=True, slots=True)
class Hooks:
    """How the CLI is told to run ours, and what each run means. The first rule that fits counts."""

    args: tuple[str, ...]
    """They name `{hooks_file}`; left out where the profile's other arguments use the same flag."""
    rules: tuple[HookRule, ...]
    conversation: str = ""
    """The field in which hooks name the conversation; empty where none does."""

    @property
    def events(self) -> tuple[str, ...]:
        """Each once, in order."""
        return tuple(dict.fromkeys(rule.event for rule in self.rules))

    @property
    def fields(self) -> tuple[str, ...]:
        """What the hook is to tell besides the event."""
        named = (name for rule in self.rules for name in (*rule.where, rule.detail))
        return tuple(dict.fromkeys(name for name in (*named, self.conversation) if name))


@dataclass(frozen=True, slots=True)
class TerminalSigns:
    """All of one profile's."""

    title: Patterns = field(default_factory=dict)
    screen: Patterns = field(default_factory=dict)
    rows: int = ROWS
    """Only so many rows of the screen are looked at, from the last one that is not empty up."""
    ended: tuple[str, ...] = ()
    """Patterns for the row in which it says why it ends."""
    hooks: Hooks | None = None

    def __bool__(self) -> bool:
        """Is there anything to wait for, before which the CLI has not started?"""
        return bool(self.title or self.screen or self.hooks)

    @property
    def has_work(self) -> bool:
        """Is there one for work? Where only a prompt comes and goes, nothing tells that a turn began."""
        rules = self.hooks.rules if self.hooks is not None else ()
        return Sign.WORKING in {*self.title, *self.screen, *(rule.means for rule in rules)}


@dataclass(frozen=True, slots=True)
class RanHook:
    """The CLI ran this hook."""

    event: str
    fields: Mapping[str, str] = field(default_factory=dict)
    """Of what it told the hook, those that the rules name."""

    @classmethod
    def told(cls, event: str, fields: Mapping[object, object]) -> Self:
        """As a program wrote it: bounded, and of texts that can be sent on."""
        texts = [
            (without_lone_surrogates(name), without_lone_surrogates(text[:FIELD_CHARS]))
            for name, text in fields.items()
            if isinstance(name, str) and isinstance(text, str)
        ]
        return cls(without_lone_surrogates(event), dict(texts[:FIELDS_MOST]))


@dataclass(frozen=True, slots=True)
class HookWord:
    """What the CLI's last hook that means something said."""

    sign: Sign
    detail: str = ""


def last_rows(text: str, cursor_row: int, rows: int) -> str:
    """The part of the screen that is looked at: down to its last row with anything on it, be it only the cursor."""
    lines = [line[:ROW_CHARS] for line in text.rstrip().split("\n")]
    lines += [""] * (cursor_row + 1 - len(lines))
    return "\n".join(line.rstrip() for line in lines[-rows:])
