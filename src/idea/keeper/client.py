"""Who gives the keeper commands, as the keeper sees it: a connection, or the server around it."""

from collections.abc import Callable
from typing import Protocol

from idea.keeper.protocol import Event


class Client(Protocol):
    """Belongs to the loop's thread. What is said to one that is gone is lost, and nobody minds."""

    @property
    def is_congested(self) -> bool:
        """What was said before is not yet taken: output should wait for `when_free`. Answers need not."""
        ...

    def tell(self, event: Event) -> None: ...

    def when_free(self, call: Callable[[], None]) -> None:
        """Call once it is no longer congested; never before this returns."""
        ...

    def dismiss(self) -> None:
        """Another one has attached."""
        ...
