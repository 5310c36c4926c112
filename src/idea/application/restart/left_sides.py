"""What stood beside terminals when the server before this one ended: it goes on with its turn, or ends."""

import logging

from idea.application.restart.left_processes import LeftProcesses
from idea.application.sessions.session_record import SessionRecord
from idea.application.sessions.side_sessions import SideSessions
from idea.application.structured.open_turn import OpenTurn
from idea.application.team.team import Member
from idea.domain.errors import IdeaError, Lost
from idea.domain.sessions import SessionRole
from idea.domain.unfinished import UnfinishedSession, UnfinishedTurn

_log = logging.getLogger(__name__)


def is_its(begun: UnfinishedTurn | None, side: UnfinishedSession | None) -> bool:
    """Does this session work on the turn? While there is one, no other has a turn, unless it resisted its end."""
    if side is None or begun is None or begun.begun is None:
        return False
    return side.spawn_id in (None, begun.begun.spawn_id)


class LeftSides:
    def __init__(self, *, processes: LeftProcesses, sides: SideSessions, record: SessionRecord) -> None:
        self._processes = processes
        self._sides = sides
        self._record = record

    async def take_up(self, member: Member, side: UnfinishedSession, turn: OpenTurn | None) -> None:
        """What is lost with it, whoever asked is told: it says nothing of its agent.

        Raises:
            Lost: the keeper does not answer.
        """
        try:
            if turn is None or not self._processes.is_ours(side):
                await self._processes.end(side)
            elif await self._sides.take_over(member, side, turn, child=self._processes.find(side)):
                return
        except Lost:
            if not await self._processes.went_with_keeper(side):
                raise
        except IdeaError as error:
            _log.warning("%s: its side session cannot go on: %s", member.agent.slug, error)
            await self._processes.end(side)
        await self._record.forget(member.agent.id, SessionRole.SIDE)
