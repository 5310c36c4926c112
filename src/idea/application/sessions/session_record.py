"""Which sessions live, so that the next server finds them if this one is killed."""

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from functools import partial

from idea.application.ports import Keeper, UnfinishedWork
from idea.application.sessions.live_sessions import LiveSession
from idea.application.structured.structured_session import StructuredSession
from idea.application.supervisor import Supervisor
from idea.domain.errors import Closed
from idea.domain.ids import AgentId
from idea.domain.sessions import SessionRole
from idea.domain.unfinished import UnfinishedSession

_Key = tuple[AgentId, SessionRole]


class SessionRecord:
    def __init__(self, work: UnfinishedWork, *, keeper: Keeper, supervisor: Supervisor) -> None:
        self._work = work
        self._live: dict[_Key, LiveSession] = {}
        self._keeper = keeper
        self._supervisor = supervisor
        self._following: dict[_Key, asyncio.Task[None]] = {}

    async def load(self) -> Sequence[UnfinishedSession]:
        """What the server before left, also with a keeper that is gone."""
        return await self._work.list_sessions()

    async def save(self, live: LiveSession) -> None:
        """Must be on record before its process is started."""
        self._live[_key(live)] = live
        await self._work.save_session(self._unfinished(live))

    def follow(self, live: LiveSession) -> None:
        """It has changed; what is written follows."""
        if self._live.get(_key(live)) is live:
            # Once the project closes nothing is written any more, and whoever changed the session is not to fail of it.
            with suppress(Closed):
                task = self._supervisor.start(partial(self._save_again, live), name="save-session")
                self._following[_key(live)] = task

    async def settled(self, agent: AgentId, role: SessionRole) -> None:
        """What `follow` was told of this session is written."""
        task = self._following.get((agent, role))
        if task is not None:
            await asyncio.wait([task])

    async def _save_again(self, live: LiveSession) -> None:
        # It may have come to its end meanwhile.
        if self._live.get(_key(live)) is live:
            await self.save(live)

    async def forget(self, agent: AgentId, role: SessionRole) -> None:
        """Its end is known. Idempotent."""
        self._live.pop((agent, role), None)
        self._following.pop((agent, role), None)
        await self._work.forget_session(agent, role)

    def _unfinished(self, live: LiveSession) -> UnfinishedSession:
        carried = live.runner.carry() if isinstance(live.runner, StructuredSession) else {}
        return UnfinishedSession(
            live.session, self._keeper.identity, live.profile.id, live.spawn_id, is_ready=live.is_ready, carried=carried
        )


def _key(live: LiveSession) -> _Key:
    return live.session.agent, live.session.role
