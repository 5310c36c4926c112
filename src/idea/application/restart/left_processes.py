"""The processes that the server before this one left with the keeper, as they were found."""

import logging
from collections.abc import Sequence
from typing import Final

from idea.application.ports import Keeper
from idea.domain.sessions import KeptChild, OutputStream
from idea.domain.unfinished import BegunTurn, UnfinishedSession

ABANDON_GRACE_S: Final = 2.0
"""Between SIGTERM and SIGKILL, for what runs on behalf of an agent that is no more."""

_log = logging.getLogger(__name__)


class LeftProcesses:
    def __init__(self, keeper: Keeper) -> None:
        self._keeper = keeper
        self._children: dict[str, KeptChild] = {}

    async def load(self) -> Sequence[KeptChild]:
        """All of them. Raises `Lost`, `Closed`."""
        self._children = {child.spawn_id: child for child in await self._keeper.children()}
        return list(self._children.values())

    def find(self, session: UnfinishedSession) -> KeptChild | None:
        """The one process of this session, if it has one for all of its turns."""
        return self._children.get(session.spawn_id or "")

    def is_ours(self, session: UnfinishedSession) -> bool:
        """Its process is with this keeper, if it is anywhere."""
        return session.keeper == self._keeper.identity

    def may_live(self, session: UnfinishedSession) -> bool:
        """Its process is there, or each of its turns has one of its own."""
        return self.is_ours(session) and (session.spawn_id is None or session.spawn_id in self._children)

    async def went_with_keeper(self, session: UnfinishedSession) -> bool:
        """After a `Lost`: is the keeper another one by now, with which the session's process went?

        Raises:
            Lost: it is the same, and does not answer.
        """
        await self._keeper.children()
        return not self.is_ours(session)

    async def end(self, session: UnfinishedSession) -> None:
        """Idempotent."""
        if session.spawn_id is None or not self.is_ours(session):
            return
        process = await self._keeper.attach(session.spawn_id)
        if process is not None:
            report = await process.stop(grace_s=ABANDON_GRACE_S)
            if report.survivors:
                _log.warning("%s could not be ended: %s", session.session.agent, report.survivors)
        await self._keeper.forget(session.spawn_id)


def is_given_up(begun: BegunTurn, child: KeptChild | None) -> bool:
    """The turn came to its end, all of which is on record, so that its output was let go."""
    stdout = None if child is None else child.streams.get(OutputStream.STDOUT)
    return stdout is not None and stdout.acknowledged > begun.replay_from
