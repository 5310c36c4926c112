"""One browser's view of one terminal: a queue with a window, which begins anew from a snapshot when it was too slow."""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from typing import Final, Protocol

from idea.application.terminals.terminal_checkpoints import Render
from idea.domain.errors import Refused
from idea.domain.sessions import Exit, TerminalSize

WINDOW_BYTES: Final = 1024 * 1024
"""So much may be under way to a client, parsed or not; the program waits for the fastest one."""
REFILL_BYTES: Final = WINDOW_BYTES // 2
"""At so much the way is free again. Well above the 256 KiB after which a client acknowledges at the latest."""
FRAME_BYTES: Final = 64 * 1024
"""Small outputs that wait together go out together, up to this size."""


@dataclass(frozen=True, slots=True)
class Reset:
    """Clear and take this size; counting of acknowledged bytes begins anew."""

    cols: int
    rows: int
    is_whole: bool = True
    """What is painted next has its scrollback; else the client may ask for it."""


@dataclass(frozen=True, slots=True)
class Paint:
    """Paints the present screen; answers nothing, asks nothing."""

    data: bytes


@dataclass(frozen=True, slots=True)
class Output:
    """What the program writes from there on."""

    data: bytes


@dataclass(frozen=True, slots=True)
class InputRefused:
    """The program does not read, so nothing of what was written together was typed."""


@dataclass(frozen=True, slots=True)
class Ended:
    """The last value. `exit` is None if the process could not be ended or its end not be learnt."""

    exit: Exit | None


@dataclass(frozen=True, slots=True)
class _Picture:
    """Becomes a `Paint` when its turn comes."""

    render: Render


PaintPicture = Callable[[Render], Awaitable[bytes]]
TerminalValue = Reset | Paint | Output | InputRefused | Ended


class Attachable(Protocol):
    """A terminal, or the last screen of one that ended."""

    def attach(self, size: TerminalSize, *, is_whole: bool = True) -> "TerminalClient":
        """A new view: first the screen as it is, then what comes, and the end.

        `is_whole`: the first picture has the scrollback, too. Else a second one has it, once that is asked for.
        """
        ...


class ClientOwner(Protocol):
    """What a client needs of its session."""

    @property
    def paint(self) -> PaintPicture: ...

    def begin(self, *, is_whole: bool) -> tuple[Reset, Render]:
        """The present size, and what renders the present screen, with its scrollback if that is to be."""
        ...

    async def settle_size(self) -> None:
        """Returns when no change of the size is under way, in a bounded time."""
        ...

    async def type_in(self, client: "TerminalClient", data: bytes) -> None: ...

    def claim_size(self, client: "TerminalClient") -> None: ...

    def on_acknowledged(self) -> None: ...

    def on_detached(self, client: "TerminalClient") -> None: ...


class TerminalClient:
    """Iterate it once; it ends with `Ended`, or silently after `detach`."""

    def __init__(self, owner: ClientOwner, size: TerminalSize, *, is_whole: bool = True) -> None:
        self._owner = owner
        self._is_whole = is_whole
        """Pictures have their scrollback."""
        self._is_short = False
        """The last picture was without it, and there was some."""
        self.size = size
        """What this client could show; the terminal's own size is its owner's."""
        self.is_cut_off = True
        """Gets no output: too slow, of another size, or not begun yet. What it misses will be in its next snapshot."""
        self._queue: deque[TerminalValue | _Picture] = deque()
        self._sent_bytes = 0
        self._queued_bytes = 0
        self._acknowledged_bytes = 0
        self._is_input_refused = False
        """Not told yet; several are told as one."""
        self._has_begun = False
        self._ended: Ended | None = None
        self._has_said_end = False
        self._is_detached = False
        self._changed = asyncio.Event()

    # --- the client's side --------------------------------------------------------------------------------

    def __aiter__(self) -> AsyncIterator[TerminalValue]:
        return self

    async def __anext__(self) -> TerminalValue:
        """Cancelling it loses nothing."""
        while not (self._is_detached or self._has_said_end):
            if self._is_input_refused:
                self._is_input_refused = False
                return InputRefused()
            if self.is_cut_off and self._may_begin():
                if not self._has_begun:
                    # Else the first picture would be drawn for a size that is just about to go.
                    await self._owner.settle_size()
                self._begin()
            elif self._queue and isinstance(picture := self._queue[0], _Picture):
                await self._paint(picture)
            elif self._queue:
                return self._next()
            elif self._ended is not None:
                self._has_said_end = True
                return self._ended
            else:
                self._changed.clear()
                await self._changed.wait()
        raise StopAsyncIteration

    async def write(self, data: bytes) -> None:
        """Keystrokes. The terminal takes this client's size. What cannot be typed is told by `InputRefused`.

        Raises:
            Lost: the program has ended.
        """
        try:
            await self._owner.type_in(self, data)
        except Refused:
            self._is_input_refused = True
            self._changed.set()

    async def resize(self, size: TerminalSize) -> None:
        """The person turned to this client, or gave it another size: the terminal takes it."""
        self.size = size
        self._owner.claim_size(self)

    def ask_for_scrollback(self) -> None:
        """In another picture, where the last one was without it. Idempotent."""
        self._is_whole = True
        if self._is_short:
            self.cut_off()

    def acknowledge(self, total: int) -> None:
        """So many bytes, in all since the last `Reset`, were parsed. More than were sent counts as all."""
        self._acknowledged_bytes = max(self._acknowledged_bytes, min(total, self._sent_bytes))
        self._changed.set()
        self._owner.on_acknowledged()

    def detach(self) -> None:
        """Idempotent."""
        if not self._is_detached:
            self._is_detached = True
            self._queue.clear()
            self._changed.set()
            self._owner.on_detached(self)

    # --- the session's side -------------------------------------------------------------------------------

    @property
    def unacknowledged_bytes(self) -> int:
        return self._sent_bytes - self._acknowledged_bytes

    def put(self, output: Output) -> None:
        if self.is_cut_off:
            return
        self._sent_bytes += len(output.data)
        self._queued_bytes += len(output.data)
        self._queue.append(output)
        self._changed.set()

    def cut_off(self) -> None:
        """What waits is dropped; when what is under way has arrived, a snapshot follows."""
        self.is_cut_off = True
        self._queue.clear()
        self._sent_bytes -= self._queued_bytes
        self._queued_bytes = 0
        self._changed.set()

    def end(self, exit_: Exit | None) -> None:
        self._ended = Ended(exit_)
        # Nobody can ask later.
        self.ask_for_scrollback()
        self._changed.set()

    # --- within -------------------------------------------------------------------------------------------

    def _may_begin(self) -> bool:
        # The last screen is shown even to one that never acknowledges.
        return self._ended is not None or self.unacknowledged_bytes <= REFILL_BYTES

    def _begin(self) -> None:
        reset, render = self._owner.begin(is_whole=self._is_whole)
        self.is_cut_off, self._has_begun, self._is_short = False, True, not reset.is_whole
        # What it has by then it keeps, also where a new size has it painted anew.
        self._is_whole = self._is_whole or reset.is_whole
        self._queue.extend((reset, _Picture(render)))
        self._sent_bytes, self._acknowledged_bytes, self._queued_bytes = 0, 0, 0

    async def _paint(self, picture: _Picture) -> None:
        data = await self._owner.paint(picture.render)
        # Meanwhile it may have been cut off or detached.
        if self._queue and self._queue[0] is picture:
            self._queue[0] = Paint(data)
            self._sent_bytes += len(data)
            self._queued_bytes += len(data)

    def _next(self) -> TerminalValue:
        value = self._queue.popleft()
        assert not isinstance(value, _Picture)
        if isinstance(value, Output):
            parts, size = [value.data], len(value.data)
            while self._queue and isinstance(following := self._queue[0], Output):
                size += len(following.data)
                if size > FRAME_BYTES:
                    break
                parts.append(following.data)
                self._queue.popleft()
            value = Output(b"".join(parts))
        if isinstance(value, Output | Paint):
            self._queued_bytes -= len(value.data)
        return value
