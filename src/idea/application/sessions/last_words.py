"""What a session that has ended leaves to be read: why it was refused, what it showed, what it said last."""

import asyncio
from typing import Final

from idea.application.sessions.live_sessions import LiveSession
from idea.application.terminals.last_screens import LastScreen
from idea.application.terminals.terminal_session import TerminalSession
from idea.domain.replies import ResumeRefused
from idea.domain.sessions import Exit

LAST_SCREEN_S: Final = 4.0
"""A full scrollback is painted within a second, one terminal's at a time. Where many end at once, whoever stops them is
not to wait for all of their pictures: the last ones leave none."""


def find_refusal(live: LiveSession) -> ResumeRefused | None:
    """A terminal says it on its screen, and only the end shows that it was not somebody's talk about such a thing."""
    if isinstance(live.runner, TerminalSession) and _has_failed(live.runner.exit):
        return live.resumption.read_last_words(live.runner.shown.text())
    return live.resumption.refusal


def _has_failed(exit_: Exit | None) -> bool:
    return exit_ is not None and bool(exit_.code)


async def find_last_screen(live: LiveSession) -> LastScreen | None:
    """For people to look at, where it was a terminal; None if there was no time to paint it."""
    if not isinstance(live.runner, TerminalSession):
        return None
    try:
        async with asyncio.timeout(LAST_SCREEN_S):
            return await live.runner.last_screen(live.session.id)
    except TimeoutError:
        return None


def find_last_words(live: LiveSession) -> str:
    """Why a terminal's program ended, where its screen says so."""
    if isinstance(live.runner, TerminalSession) and live.readiness is not None:
        return live.readiness.last_words(live.runner.shown)
    return ""
