"""Facts of a project for those inside it that follow them, beside everybody who watches from outside."""

from collections.abc import Callable

from idea.domain.events import Event


class Followers:
    """Called in the loop, after the fact is published, in the order of their coming; each returns at once."""

    def __init__(self, publish: Callable[[Event], None]) -> None:
        self._publish = publish
        self._followers: list[Callable[[Event], None]] = []

    def add(self, follow: Callable[[Event], None]) -> None:
        self._followers.append(follow)

    def publish(self, event: Event) -> None:
        self._publish(event)
        for follow in self._followers:
            follow(event)
