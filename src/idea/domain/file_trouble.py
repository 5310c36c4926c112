"""A file of a project's that could not serve, and what was decided without the person."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from idea.domain.why import Why


@dataclass(frozen=True, slots=True)
class FileTrouble:
    """The sentence for every door, and for the page its key with what the key's sentence names."""

    sentence: str
    why: Why
    about: Mapping[str, object] = field(default_factory=dict)

    def fields(self) -> dict[str, object]:
        return {"why": self.why, **self.about}
