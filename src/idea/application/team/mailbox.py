"""The queue of one agent: whoever writes to it, human or agent, waits for its turn in the order of arrival."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import Enum, auto
from typing import Final

from idea.domain.delegation import Requester
from idea.domain.errors import Conflict, IdeaError
from idea.domain.events import Event, QueueChanged, QueuedTurn
from idea.domain.ids import AgentId, DelegationId, ProjectId, TurnId
from idea.domain.unfinished import UnfinishedTurn

MAX_WAITING: Final = 10_000
"""An agent with so many waiting turns is not being used but flooded."""
SHOWN: Final = 50
"""Waiting turns that are told one by one; a person reads no more of them."""
PREVIEW_CHARS: Final = 120


class Hold(Enum):
    UNCLAIMED = auto()
    """Whether somebody still waits for it is not known so far. Those behind it keep their order."""
    LIMITED = auto()
    """Until its agent's limit is over. Those behind it do not wait for that, and learn of the limit."""


@dataclass(slots=True, eq=False)
class WaitingTurn:
    """One message on its way to an agent, and where its outcome arrives."""

    turn: TurnId
    requester: Requester
    requester_name: str
    delegation: DelegationId | None
    text: str
    """What the engine gets, frame included."""
    message: str
    """What the person or agent wrote."""
    limit_s: float | None
    """How long the turn may take; None for a human's, who sees it run and can stop it."""
    since: datetime
    call: str | None = None
    """The name of the call that made it, if an agent's bridge brought one."""
    waits_for_limit: bool = False
    """If its agent is limited until a known time, it is given to it again then."""
    hold: Hold | None = None
    """Why nobody takes it yet; it keeps its place."""
    is_passed_on: bool = False
    """Another turn has its place, and its outcome to come."""
    left_queue: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when the turn starts, or is settled without having started."""
    settled: "asyncio.Future[str]" = field(default_factory=lambda: asyncio.get_running_loop().create_future())
    """The answer, or the `IdeaError` that became of it."""
    left: UnfinishedTurn | None = None
    """What a server before this one had written down of it, if it had taken it in."""
    preview: str = field(init=False)
    """The begin of the message's first line."""

    def __post_init__(self) -> None:
        self.preview = self.message.strip().split("\n", 1)[0][:PREVIEW_CHARS]

    @property
    def has_begun(self) -> bool:
        """A server before this one had given it to its agent."""
        return self.left is not None and self.left.begun is not None

    @property
    def failure(self) -> IdeaError | None:
        """What the requester was told instead of an answer, if it was told already."""
        failure = self.settled.exception() if self.settled.done() else None
        return failure if isinstance(failure, IdeaError) else None

    def find_time_left_s(self, now: datetime) -> float | None:
        """None without a limit. What passed under another server counts; what passed in the queue does not."""
        if self.limit_s is None:
            return None
        begun = self.left.begun if self.left is not None else None
        return self.limit_s - ((now - begun.at).total_seconds() if begun is not None else 0.0)

    def pass_on(self, turn: TurnId) -> "WaitingTurn":
        """The same message as another turn, held; whoever waits for this one's outcome has that one's."""
        following = replace(self, turn=turn, hold=Hold.LIMITED, left=None)
        self.is_passed_on = True
        return following

    def settle(self, outcome: str | IdeaError) -> bool:
        """The first outcome counts; False if there was one, or it is another turn's by now."""
        if self.is_passed_on:
            return False
        self.left_queue.set()
        if self.settled.done():
            return False
        if isinstance(outcome, IdeaError):
            self.settled.set_exception(outcome)
            # A human's turn has no one awaiting it; its outcome is shown by events.
            self.settled.exception()
        else:
            self.settled.set_result(outcome)
        return True


class Mailbox:
    """First in, first out. `next` is for the agent's one turn runner, with whose life it closes."""

    def __init__(self, project: ProjectId, agent: AgentId, *, publish: Callable[[Event], None]) -> None:
        self._project = project
        self._agent = agent
        self._publish = publish
        self._waiting: list[WaitingTurn] = []
        self._given_up: list[WaitingTurn] = []
        """A person's, settled before their turn: behind them waits nobody who could be told."""
        self._changed = asyncio.Event()
        self._closed: IdeaError | None = None

    def put(self, waiting: WaitingTurn) -> int:
        """Its position, from 1.

        Raises:
            Conflict: the queue is full.
            IdeaError: what it was closed with.
        """
        if len(self._waiting) >= MAX_WAITING:
            raise Conflict(f"{MAX_WAITING} turns are waiting already.", why="queueFull", limit=MAX_WAITING)
        self._insert(len(self._waiting), waiting)
        return len(self._waiting)

    def put_first(self, waiting: WaitingTurn) -> None:
        """Before all others: it had its turn already. Raises the `IdeaError` that it was closed with."""
        self._insert(0, waiting)

    def _insert(self, place: int, waiting: WaitingTurn) -> None:
        if self._closed is not None:
            raise self._closed
        self._waiting.insert(place, waiting)
        self._changed.set()
        self._tell()

    def first(self) -> WaitingTurn | None:
        """What `next` would give now without waiting."""
        foremost = next((waiting for waiting in self._waiting if waiting.hold is not Hold.LIMITED), None)
        return foremost if foremost is not None and foremost.hold is None else None

    def find(self, turn: TurnId) -> WaitingTurn | None:
        return next((waiting for waiting in self._waiting if waiting.turn == turn), None)

    def remove(self, waiting: WaitingTurn, outcome: IdeaError) -> bool:
        """Take it out and settle it; False if it is not waiting any more."""
        if waiting not in self._waiting:
            return False
        self._waiting.remove(waiting)
        waiting.settle(outcome)
        self._changed.set()
        self._tell()
        return True

    def release(self, waiting: WaitingTurn) -> None:
        """Somebody waits for it, or its agent's limit is over. Idempotent."""
        waiting.hold = None
        self._changed.set()

    async def next(self) -> WaitingTurn:
        """Waits for as long as nobody writes, or the first one is held.

        A person's messages that were cleared come first, settled as they are.
        """
        while not self._given_up and (waiting := self.first()) is None:
            self._changed.clear()
            await self._changed.wait()
        if self._given_up:
            return self._given_up.pop(0)
        assert waiting is not None, "the loop ended with it"
        self._waiting.remove(waiting)
        self._tell()
        return waiting

    def first_waiting(self) -> tuple[QueuedTurn, ...]:
        """At most `SHOWN`; the length of the mailbox says how many there are."""
        return self.list_waiting(after=0, limit=SHOWN)

    def list_waiting(self, *, after: int, limit: int) -> tuple[QueuedTurn, ...]:
        """Those behind position `after`."""
        return tuple(
            QueuedTurn(
                turn=waiting.turn,
                position=position,
                requester=waiting.requester,
                requester_name=waiting.requester_name,
                delegation=waiting.delegation,
                preview=waiting.preview,
                since=waiting.since,
            )
            for position, waiting in enumerate(self._waiting[after : after + limit], start=after + 1)
        )

    def __len__(self) -> int:
        return len(self._waiting)

    def clear(self, outcome: IdeaError) -> None:
        """Settle everything that waits."""
        waiting, self._waiting = self._waiting, []
        for each in waiting:
            each.settle(outcome)
        self._given_up += [each for each in waiting if each.delegation is None]
        if waiting:
            self._changed.set()
            self._tell()

    def close(self, outcome: IdeaError) -> None:
        """Nobody takes turns from here any more: what waits, and whatever comes, is told so at once. Idempotent."""
        self._closed = self._closed or outcome
        self.clear(outcome)

    def _tell(self) -> None:
        self._publish(QueueChanged(self._project, self._agent, self.first_waiting(), len(self)))
