"""A file of a project's that could not serve, and what was decided without the person."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from idea.domain.errors import Explained, IdeaError
from idea.domain.why import Why


@dataclass(frozen=True, slots=True)
class FileTrouble:
    """The sentence for every door, and for the page its key with what the key's sentence names."""

    sentence: str
    why: Why
    about: Mapping[str, object] = field(default_factory=dict)

    def fields(self) -> dict[str, object]:
        return {"why": self.why, **self.about}


def state_removed(path: str) -> FileTrouble:
    sentence = (
        f"{path} was removed while the project was open, and is made anew with what was in it: "
        "the agents, the layouts and all that was said."
    )
    return FileTrouble(sentence, "stateRemoved", {"path": path})


def changes_not_taken(error: IdeaError | None = None) -> FileTrouble:
    """Without an error it was a fault of our own."""
    if isinstance(error, Explained) and error.why is not None:
        return FileTrouble(error.reason, error.why, error.about)
    return FileTrouble("The project's changed files could not be taken over; the log says why.", "changesNotTaken")
