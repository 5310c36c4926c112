"""Which emulator this machine has."""

import logging

from idea.application.ports import Screen, Screens
from idea.domain.sessions import TerminalSize

logger = logging.getLogger(__name__)


class AvailableScreens:
    """The native emulator, or the plain one where that does not load. Chosen at the first terminal, not before:
    the native library alone costs a start tens of milliseconds."""

    def __init__(self) -> None:
        self._screens: Screens | None = None

    def create(self, size: TerminalSize) -> Screen:
        return self._chosen().create(size)

    def restore(self, data: bytes, size: TerminalSize) -> Screen | None:
        return self._chosen().restore(data, size)

    def _chosen(self) -> Screens:
        if self._screens is None:
            self._screens = _load()
        return self._screens


def _load() -> Screens:
    try:
        from idea.adapters.screen.ghostty import GhosttyScreens
    except (ImportError, OSError) as error:
        logger.warning("the native terminal emulator does not load here, a slower one takes its place: %s", error)
        from idea.adapters.screen.plain import PlainScreens

        return PlainScreens()
    return GhosttyScreens()
