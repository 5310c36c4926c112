"""One headless life of an agent: owns the process, speaks through the engine, one turn at a time.

Above it: `turns`, which reads a `TurnStream`. Below: the keeper's process and the engine's pure protocol.
"""

import asyncio
import logging
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Final

from idea.application.line_splitter import LineSplitter
from idea.application.ports import AgentProcess, Engine, EngineLifetime, Keeper
from idea.application.turn_stream import TurnStream
from idea.domain.errors import Conflict, EngineFailed, Lost
from idea.domain.ids import ConversationId, RequestId
from idea.domain.replies import (
    TERMINAL,
    ConversationIdentified,
    Decision,
    EngineEvent,
    EngineReady,
    ResumeRefused,
    SpontaneousTurn,
    Unreadable,
)
from idea.domain.sessions import Exit, OutputChunk, OutputStream, Restored, SpawnSpec, StopReport

_log = logging.getLogger(__name__)

OWN_WAY_S: Final = 3.0
"""Time for the CLI to leave by itself after its input ended."""
STOP_GRACE_S: Final = 2.0
"""Time between SIGTERM and SIGKILL; with `OWN_WAY_S` a stop stays under 5 s."""
INTERRUPT_AGAIN_S: Final = 1.0
"""Between signals: a CLI that is still starting, or not even running yet, hears none of them."""
TAIL_CHARS: Final = 4_000
"""The end of stderr that an error quotes."""

SessionEvent = EngineReady | ConversationIdentified | SpontaneousTurn | ResumeRefused


class StructuredSession:
    """`spec` makes the process to start, given the conversation to resume (None: the launch's own choice)."""

    def __init__(
        self,
        *,
        agent_name: str,
        keeper: Keeper,
        engine: Engine,
        spec: Callable[[ConversationId | None], SpawnSpec],
        on_event: Callable[[SessionEvent], None],
    ) -> None:
        self._agent_name = agent_name
        self._keeper = keeper
        self._engine = engine
        self._spec = spec
        self._on_event = on_event
        self._process: AgentProcess | None = None
        self._turn: TurnStream | None = None
        self._turn_is_over = asyncio.Event()
        self._prompts: asyncio.Queue[str | None] = asyncio.Queue(maxsize=2)
        self._conversation: ConversationId | None = None
        self._stderr_tail = ""
        self._is_stopping = False
        self._is_ended = False
        self._complaints: set[str] = set()
        self.report = StopReport(exit=None)
        """How the process ended; complete when `run` has returned."""
        self.last_exit: Exit | None = None
        """Of the latest process, known before its engine tells the turn of it; None while one runs."""

    @property
    def starts_a_process_per_turn(self) -> bool:
        """Each of its processes reads the project's configuration anew."""
        return self._engine.lifetime is EngineLifetime.TURN

    # --- life ---------------------------------------------------------------------------------------------

    async def run(self, *, ready: asyncio.Event) -> None:
        """Lives until the process has ended (one process per session) or `stop` was called (one per turn).

        Raises:
            EngineFailed: the process could not be started, or ended before it was ready.
        """
        self._ready = ready
        try:
            if self._engine.lifetime is EngineLifetime.SESSION:
                exit_ = await self._run_process(self._spec(None), self._engine.opened(), ends_input=False)
                if not ready.is_set() and not self._is_stopping:
                    raise EngineFailed(
                        self._agent_name,
                        f"its CLI ended at once with {exit_}",
                        tail=self._stderr_tail,
                        why="endedAtOnce",
                        code=exit_.code,
                        signal=exit_.signal,
                    )
            else:
                ready.set()
                self._on_event(EngineReady())
                await self._run_process_per_turn()
        finally:
            self._is_ended = True

    async def _run_process_per_turn(self) -> None:
        while (text := await self._prompts.get()) is not None:
            try:
                await self._run_process(self._spec(self._conversation), self._engine.prompt(text), ends_input=True)
            except EngineFailed as failed:
                await self._route(self._engine.closed(Exit(code=127, signal=None), str(failed)))

    async def _run_process(self, spec: SpawnSpec, first: bytes, *, ends_input: bool) -> Exit:
        process = await self._keeper.spawn(spec)
        self._process = process
        self._stderr_tail = ""
        self.last_exit = None
        try:
            if self._is_stopping:
                # The stop came while the process was being made, and found none to stop.
                await process.stop(grace_s=STOP_GRACE_S)
            async with asyncio.TaskGroup() as tasks:
                # Reading starts before writing: a CLI that talks first must not block on a full pipe.
                tasks.create_task(self._read_replies(process), name="engine-stdout")
                tasks.create_task(self._keep_tail(process), name="engine-stderr")
                tasks.create_task(self._write_first(process, first, ends_input=ends_input), name="engine-stdin")
            exit_ = self.last_exit = await process.wait()
            await self._route(self._engine.closed(exit_, self._stderr_tail))
            return exit_
        finally:
            self._process = None
            self.report = await process.stop(grace_s=STOP_GRACE_S)

    async def _write_first(self, process: AgentProcess, data: bytes, *, ends_input: bool) -> None:
        try:
            if data:
                await process.write(data)
            if ends_input:
                await process.close_input()
        except Lost:
            # It is gone already; its exit says why, better than we can.
            return

    async def _read_replies(self, process: AgentProcess) -> None:
        lines = LineSplitter()
        async for chunk in process.output(OutputStream.STDOUT):
            for line in lines.split(chunk.data):
                await self._route(self._engine.feed(line))
            await _release(process, OutputStream.STDOUT, chunk)
        for line in lines.rest():
            await self._route(self._engine.feed(line))

    async def _keep_tail(self, process: AgentProcess) -> None:
        async for chunk in process.output(OutputStream.STDERR):
            text = self._stderr_tail + chunk.data.decode("utf-8", "replace")
            self._stderr_tail = text[-TAIL_CHARS:]
            await _release(process, OutputStream.STDERR, chunk)

    async def _route(self, events: Iterable[EngineEvent]) -> None:
        for event in events:
            match event:
                case Unreadable(reason=reason):
                    if reason not in self._complaints:
                        self._complaints.add(reason)
                        _log.warning("%s: its CLI wrote a line we cannot read: %s", self._agent_name, reason)
                case EngineReady():
                    self._ready.set()
                    self._on_event(event)
                case ConversationIdentified(conversation=conversation):
                    self._conversation = conversation
                    self._on_event(event)
                case SpontaneousTurn() | ResumeRefused():
                    self._on_event(event)
                case _:
                    turn = self._turn
                    if turn is None:
                        continue
                    if isinstance(event, TERMINAL):
                        self._turn = None
                        self._turn_is_over.set()
                    await turn.put(event)

    # --- what the runner does -----------------------------------------------------------------------------

    async def begin(self, text: str) -> TurnStream:
        """Start a turn; its stream ends with exactly one terminal event, unless `stop` comes first.

        Raises:
            Conflict: a turn is open.
            Lost: the process has ended.
        """
        if self._turn is not None:
            raise Conflict(f"{self._agent_name} is still in a turn.", why="stillInTurn", agent=self._agent_name)
        if self._is_ended:
            raise Lost(self._agent_name)
        turn = self._turn = TurnStream()
        self._turn_is_over.clear()
        try:
            if self._engine.lifetime is EngineLifetime.SESSION:
                await self._write(self._engine.prompt(text))
            else:
                self._prompts.put_nowait(text)
        except BaseException:
            self._turn = None
            raise
        return turn

    async def interrupt(self) -> None:
        """Ask the CLI to stop its turn; the stream tells when it did.

        One that takes signals is asked until the turn is over; the caller bounds it.

        Raises:
            Lost: the process is gone.
        """
        data = self._engine.interrupt()
        if data is not None:
            await self._write(data)
            return
        while self._turn is not None:
            if self._process is not None:
                await self._process.interrupt()
            with suppress(TimeoutError):
                async with asyncio.timeout(INTERRUPT_AGAIN_S):
                    await self._turn_is_over.wait()

    async def answer(self, request: RequestId, decision: Decision) -> None:
        """Raises `Lost` if the process is gone."""
        data = self._engine.answer(request, decision)
        if data:
            await self._write(data)

    async def _write(self, data: bytes) -> None:
        if self._process is None:
            raise Lost(self._agent_name)
        await self._process.write(data)

    async def stop(self) -> None:
        """End the CLI: its own way first, then by force. Returns when it is gone; `run` returns soon after."""
        self._is_stopping = True
        if self._engine.lifetime is EngineLifetime.TURN and not self._prompts.full():
            self._prompts.put_nowait(None)
        process = self._process
        if process is None:
            return
        try:
            async with asyncio.timeout(OWN_WAY_S):
                await process.close_input()
                await process.wait()
        except TimeoutError:
            await process.stop(grace_s=STOP_GRACE_S)


async def _release(process: AgentProcess, stream: OutputStream, chunk: OutputChunk | Restored) -> None:
    end = chunk.offset + len(chunk.data)
    await process.consumed(stream, end)
    await process.acknowledge(stream, end)
