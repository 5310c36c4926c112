"""Records whatever happened, and lets no full disk undo it: what cannot be written now is kept and written later."""

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable, Hashable, Sequence
from functools import partial
from typing import Final

from idea.application.ports import Records, UnfinishedWork
from idea.application.supervisor import Supervisor
from idea.domain.conversation import Item
from idea.domain.delegation import Delegation
from idea.domain.errors import Closed, IdeaError
from idea.domain.ids import AgentId, ConversationId, RequestId, TurnId
from idea.domain.replies import Decision
from idea.domain.sessions import SessionRole
from idea.domain.unfinished import TurnOnRecord, UnfinishedSession, UnfinishedTurn

MAX_UNWRITTEN: Final = 2_000
"""What is kept for later; beyond it the oldest is lost, since memory must not fill up as the disk did."""
RETRY_S: Final = 5.0
"""Nobody tells when a disk has room again. Tried only as long as something is kept."""

KeptWrite = Callable[[], Awaitable[None]]
OnFailing = Callable[[IdeaError | None], None]
"""Hears once why nothing can be written; None when all of it has been."""

_log = logging.getLogger(__name__)


class LastingWrites:
    """A write that fails is kept and tried again until it is done; a later write of the same thing takes its place."""

    def __init__(self, *, supervisor: Supervisor, on_failing: OnFailing, retry_s: float = RETRY_S) -> None:
        self._supervisor = supervisor
        self._on_failing = on_failing
        self._retry_s = retry_s
        self._unwritten: dict[Hashable, KeptWrite] = {}
        self._is_failing = False
        self._has_room = asyncio.Event()
        """Something could be written: so may be the rest."""
        self._is_ended = False

    async def end(self) -> None:
        """Nothing is written from now on, and who tries gets no further until it is cancelled.

        What followed would be done without its record: output given up, say, that the next server needs.
        """
        await self.catch_up()
        self._is_ended = True

    async def write(self, key: Hashable, write: KeptWrite) -> None:
        """Never fails. `key` names what is written."""
        if self._is_ended:
            await asyncio.get_running_loop().create_future()
        # An older state of the same thing must not be written over this one by a later retry.
        self._unwritten.pop(key, None)
        if await self._try(key, write):
            self._unwritten.pop(key, None)
            self._has_room.set()

    async def catch_up(self) -> None:
        """Write what is kept, as far as that goes."""
        for key in tuple(self._unwritten):
            kept = self._unwritten.pop(key, None)
            if kept is not None and not await self._try(key, kept):
                return

    async def _try(self, key: Hashable, write: KeptWrite) -> bool:
        try:
            await write()
        except Closed:
            # The project ends, and with it whoever could be told.
            _log.warning("the project's record was closed before all of it was written")
            return False
        except IdeaError as error:
            self._keep(key, write)
            self._fail(error)
            return False
        except Exception:  # noqa: BLE001 - a value that cannot be stored must not end the turn that it tells of
            _log.exception("a part of the project's record is lost")
        return True

    def _keep(self, key: Hashable, write: KeptWrite) -> None:
        # Writes fail in their order, so this one is the newest.
        self._unwritten[key] = write
        if len(self._unwritten) > MAX_UNWRITTEN:
            self._unwritten.pop(next(iter(self._unwritten)))

    def _fail(self, error: IdeaError) -> None:
        if self._is_failing:
            return
        self._is_failing = True
        self._has_room.clear()
        self._on_failing(error)
        with contextlib.suppress(Closed):
            # Once the project closes, its end tries a last time.
            self._supervisor.start(self._keep_trying, name="unwritten-record")

    async def _keep_trying(self) -> None:
        while self._unwritten:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(self._retry_s):
                    await self._has_room.wait()
            self._has_room.clear()
            await self.catch_up()
        self._is_failing = False
        self._on_failing(None)


class LastingRecord:
    """A `ports.Records` whose writes never fail: turns, asks and their ends are facts, also when the disk is full.

    Reading shows what is on the disk.
    """

    def __init__(self, records: Records, writes: LastingWrites) -> None:
        self._records = records
        self._writes = writes

    @property
    def begins_anew(self) -> bool:
        return self._records.begins_anew

    async def append(self, item: Item) -> None:
        await self._writes.write(("item", item.agent, item.seq), partial(self._records.append, item))

    async def save_delegation(self, delegation: Delegation) -> None:
        await self._writes.write(("delegation", delegation.id), partial(self._records.save_delegation, delegation))

    async def save_conversation(
        self, agent: AgentId, conversation: ConversationId | None, *, role: SessionRole = SessionRole.MAIN
    ) -> None:
        write = partial(self._records.save_conversation, agent, conversation, role=role)
        await self._writes.write(("conversation", agent, role), write)

    async def list_items(self, agent: AgentId, *, before_seq: int | None, limit: int) -> Sequence[Item]:
        return await self._records.list_items(agent, before_seq=before_seq, limit=limit)

    async def last_seq(self, agent: AgentId) -> int:
        return await self._records.last_seq(agent)

    async def list_open_delegations(self) -> Sequence[Delegation]:
        return await self._records.list_open_delegations()

    async def list_delegations(self, *, limit: int) -> Sequence[Delegation]:
        return await self._records.list_delegations(limit=limit)

    async def find_conversation(self, agent: AgentId, *, role: SessionRole = SessionRole.MAIN) -> ConversationId | None:
        return await self._records.find_conversation(agent, role=role)


class LastingWork:
    """A `ports.UnfinishedWork` in the same way: what a full disk keeps from being written would only be missed after a
    kill, so that the agents go on without it.
    """

    def __init__(self, work: UnfinishedWork, writes: LastingWrites) -> None:
        self._work = work
        self._writes = writes

    async def save_session(self, session: UnfinishedSession) -> None:
        key = ("session", session.session.agent, session.session.role)
        await self._writes.write(key, partial(self._work.save_session, session))

    async def forget_session(self, agent: AgentId, role: SessionRole) -> None:
        await self._writes.write(("session", agent, role), partial(self._work.forget_session, agent, role))

    async def list_sessions(self) -> Sequence[UnfinishedSession]:
        return await self._work.list_sessions()

    async def save_turn(self, turn: UnfinishedTurn) -> None:
        await self._writes.write(("turn", turn.id), partial(self._work.save_turn, turn))

    async def save_decision(self, turn: TurnId, request: RequestId, decision: Decision) -> None:
        write = partial(self._work.save_decision, turn, request, decision)
        await self._writes.write(("decision", turn, request), write)

    async def forget_turn(self, turn: TurnId) -> None:
        await self._writes.write(("turn", turn), partial(self._work.forget_turn, turn))

    async def list_turns(self) -> Sequence[UnfinishedTurn]:
        return await self._work.list_turns()

    async def turn_on_record(self, agent: AgentId, turn: TurnId) -> TurnOnRecord:
        return await self._work.turn_on_record(agent, turn)
