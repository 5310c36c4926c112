"""Records whatever happened, and lets no full disk undo it: what cannot be written now is kept and written later."""

import logging
from collections.abc import Awaitable, Callable, Hashable, Sequence
from functools import partial
from typing import Final

from idea.application.ports import Records
from idea.domain.conversation import Item
from idea.domain.delegation import Delegation
from idea.domain.errors import Closed, IdeaError
from idea.domain.events import Event, NoticePosted
from idea.domain.ids import AgentId, ConversationId, ProjectId

MAX_UNWRITTEN: Final = 2_000
"""What is kept for later; beyond it the oldest is lost, since memory must not fill up as the disk did."""
RETRIES: Final = 20
"""Kept writes that one new write brings along, so that whoever makes it waits for a bounded time."""

KeptWrite = Callable[[], Awaitable[None]]

_log = logging.getLogger(__name__)


class LastingRecord:
    """A `ports.Records` whose writes never fail: turns, asks and their ends are facts, also when the disk is full.

    A write that fails is told once, kept, and tried again with the next ones; a later write of the same thing takes its
    place. Reading shows what is on the disk.
    """

    def __init__(self, project: ProjectId, records: Records, *, publish: Callable[[Event], None]) -> None:
        self._project = project
        self._records = records
        self._publish = publish
        self._unwritten: dict[Hashable, KeptWrite] = {}
        self._is_failing = False

    async def append(self, item: Item) -> None:
        await self._write(("item", item.agent, item.seq), partial(self._records.append, item))

    async def save_delegation(self, delegation: Delegation) -> None:
        await self._write(("delegation", delegation.id), partial(self._records.save_delegation, delegation))

    async def save_conversation(self, agent: AgentId, conversation: ConversationId | None) -> None:
        await self._write(("conversation", agent), partial(self._records.save_conversation, agent, conversation))

    async def list_items(self, agent: AgentId, *, before_seq: int | None, limit: int) -> Sequence[Item]:
        return await self._records.list_items(agent, before_seq=before_seq, limit=limit)

    async def last_seq(self, agent: AgentId) -> int:
        return await self._records.last_seq(agent)

    async def list_delegations(self, *, limit: int) -> Sequence[Delegation]:
        return await self._records.list_delegations(limit=limit)

    async def find_conversation(self, agent: AgentId) -> ConversationId | None:
        return await self._records.find_conversation(agent)

    async def _write(self, key: Hashable, write: KeptWrite) -> None:
        # An older state of the same thing must not be written over this one by a later retry.
        self._unwritten.pop(key, None)
        if not await self._try(key, write):
            return
        self._is_failing = False
        self._unwritten.pop(key, None)
        for kept in tuple(self._unwritten)[:RETRIES]:
            again = self._unwritten.pop(kept, None)
            if again is not None and not await self._try(kept, again):
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
            if not self._is_failing:
                self._is_failing = True
                self._publish(
                    NoticePosted(
                        self._project,
                        "fileTrouble",
                        _explain(error),
                        fields={**error.fields(), "code": error.code, "isKept": True},
                    )
                )
            return False
        except Exception:  # noqa: BLE001 - a value that cannot be stored must not end the turn that it tells of
            _log.exception("a part of the project's record is lost")
        return True

    def _keep(self, key: Hashable, write: KeptWrite) -> None:
        # Writes fail in their order, so this one is the newest.
        self._unwritten[key] = write
        if len(self._unwritten) > MAX_UNWRITTEN:
            self._unwritten.pop(next(iter(self._unwritten)))


def _explain(error: IdeaError) -> str:
    return (
        f"{error} Your agents go on, and what they say is kept until it can be written. "
        "Free space on the disk and keep IdeA running, or it is lost."
    )
