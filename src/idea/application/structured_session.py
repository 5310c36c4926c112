"""One headless life of an agent: owns the process, speaks through the engine, one turn at a time.

Above it: `turns`, which reads a `TurnStream`. Below: the keeper's process and the engine's pure protocol. What a killed
server left is taken over: the process goes on, and the turn it works on is read again from its beginning.
"""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from datetime import datetime
from typing import Final

from idea.application.engine_output import EngineOutput, OnSessionEvent, SessionEvent
from idea.application.open_turn import LeftSession, OpenTurn
from idea.application.ports import AgentProcess, Engine, EngineLifetime, Keeper
from idea.application.resumption import Resumption, refused
from idea.domain.errors import Closed, Conflict, EngineFailed, Lost
from idea.domain.ids import ConversationId, RequestId, TurnId
from idea.domain.replies import ConversationIdentified, Decision, EngineReady, ResumeRefused
from idea.domain.sessions import Exit, OutputStream, SpawnSpec, StopReport
from idea.domain.unfinished import BegunTurn

OWN_WAY_S: Final = 3.0
"""Time for the CLI to leave by itself after its input ended."""
STOP_GRACE_S: Final = 2.0
"""Time between SIGTERM and SIGKILL; with `OWN_WAY_S` a stop stays under 5 s."""
CATCH_UP_S: Final = 10.0
"""A CLI that says so much between its turns is not waited for."""
INTERRUPT_AGAIN_S: Final = 1.0
"""Between signals: a CLI that is still starting, or not even running yet, hears none of them."""
TAIL_CHARS: Final = 4_000
"""The end of stderr that an error quotes."""

MakeSpec = Callable[[str, ConversationId | None], Awaitable[SpawnSpec]]
"""The process to start, given its spawn id and the conversation to resume (None: the launch's own choice)."""


class StructuredSession:
    def __init__(
        self,
        *,
        agent_name: str,
        keeper: Keeper,
        engine: Engine,
        spawn_id: str,
        spec: MakeSpec,
        resumption: Resumption,
        on_event: OnSessionEvent,
        left: LeftSession | None = None,
    ) -> None:
        """`spawn_id` is of the session's process, where one serves every turn; else each turn's id is its process's."""
        self._agent_name = agent_name
        self._keeper = keeper
        self._engine = engine
        self._spawn_id = spawn_id
        self._spec = spec
        self._resumption = resumption
        self._is_refused = asyncio.Event()
        self._on_event = on_event
        self._left = left
        self._process: AgentProcess | None = None
        self._output = EngineOutput(agent_name, engine, on_event=self._take_event)
        self._output.turn = left.turn if left is not None else None
        self._turns: asyncio.Queue[OpenTurn | None] = asyncio.Queue(maxsize=2)
        """For an engine with a process per turn; None ends it."""
        self._conversation: ConversationId | None = None
        self._stderr_tail = ""
        self._is_catching_up = left is not None and left.is_ready and left.turn is None and left.stdout is not None
        """Between turns, the rest of the one before is to be read, or it would be taken for the next one's."""
        self._is_stopping = False
        self._is_ended = False
        self.report = StopReport(exit=None)
        """How the process ended; complete when `run` has returned."""
        self.last_exit: Exit | None = None
        """Of the latest process, known before its engine tells the turn of it; None while one runs."""

    @property
    def starts_a_process_per_turn(self) -> bool:
        """Each of its processes reads the project's configuration anew."""
        return self._engine.lifetime is EngineLifetime.TURN

    def carry(self) -> dict[str, object]:
        """What the engine knows beyond the turn; for the record."""
        return dict(self._engine.carry())

    # --- life ---------------------------------------------------------------------------------------------

    async def run(self, *, ready: asyncio.Event) -> None:
        """Lives until the process has ended (one process per session) or `stop` was called (one per turn).

        Cancelling it leaves the process alone: whoever cancels ends the server, not the agent.

        Raises:
            EngineFailed: the process could not be started, or ended before it was ready.
            ConversationRefused: it does not go on with its conversation, and nothing waits for it yet.
        """
        self._ready = ready
        try:
            if self.starts_a_process_per_turn:
                if self._output.turn is not None:
                    self._turns.put_nowait(self._output.turn)
                await self._take_event(EngineReady())
                await self._run_process_per_turn()
            else:
                exit_ = await self._run_process(self._spawn_id, self._output.turn)
                if self._resumption.refusal is not None and not ready.is_set():
                    raise refused(self._agent_name, self._resumption.refusal)
                if not ready.is_set() and not self._is_stopping:
                    raise EngineFailed(self._agent_name, f"its CLI ended at once with {exit_}", tail=self._stderr_tail)
        finally:
            self._is_ended = True

    async def _take_event(self, event: SessionEvent) -> None:
        event = self._resumption.judge(event)
        match event:
            case ResumeRefused():
                if self._is_refused.is_set():
                    # Said on both of its outputs.
                    return
                self._give_up(event)
            case EngineReady():
                if self._is_catching_up:
                    # Heard by the server before this one, and now read again.
                    return
                self._ready.set()
            case ConversationIdentified(conversation=conversation):
                self._conversation = conversation
        await self._on_event(event)

    def _give_up(self, refusal: ResumeRefused) -> None:
        """A CLI without the agent's conversation is not the agent: what it says from now on is nobody's answer."""
        self._is_refused.set()
        if self._output.turn is not None:
            self._output.turn.stream.request_stop(refused(self._agent_name, refusal))
        if self.starts_a_process_per_turn and not self._turns.full():
            self._turns.put_nowait(None)

    async def _end_if_refused(self, process: AgentProcess) -> None:
        await self._is_refused.wait()
        # Most end by themselves; one that took up another conversation would go on with it.
        await process.stop(grace_s=STOP_GRACE_S)

    async def _be_ready_again(self) -> None:
        """As the server before said, but not too early."""
        if self._is_catching_up:
            with suppress(TimeoutError):
                async with asyncio.timeout(CATCH_UP_S):
                    await self._output.has_caught_up.wait()
        self._is_catching_up = False
        await self._take_event(EngineReady())

    async def _run_process_per_turn(self) -> None:
        while (turn := await self._turns.get()) is not None:
            try:
                await self._run_process(turn.id, turn)
            except EngineFailed as failed:
                self._output.give(turn)
                await self._output.route(self._engine.closed(Exit(code=127, signal=None), str(failed)))
            # Until then a server that comes after this one needs its output and its exit.
            await turn.is_settled.wait()
            await self._keeper.forget(turn.id)

    async def _run_process(self, spawn_id: str, turn: OpenTurn | None) -> Exit:
        process = await self._find_left(spawn_id, turn)
        left = self._left.stdout if self._left is not None and process is not None else None
        if process is None:
            if self.starts_a_process_per_turn and self._conversation is not None:
                self._resumption.expect(self._conversation)
            process = await self._spawn(await self._spec(spawn_id, self._conversation))
        self._process = process
        self._stderr_tail = ""
        self.last_exit = None
        try:
            if self._is_stopping:
                # The stop came while the process was being made, and found none to stop.
                await process.stop(grace_s=STOP_GRACE_S)
            async with asyncio.TaskGroup() as tasks:
                ending = tasks.create_task(self._end_if_refused(process), name="engine-refused")
                # Reading starts before writing: a CLI that talks first must not block on a full pipe.
                tasks.create_task(self._output.read(process, turn, left), name="engine-stdout")
                tasks.create_task(self._keep_tail(process), name="engine-stderr")
                tasks.create_task(self._write_first(process, spawn_id, turn), name="engine-stdin")
                if self._left is not None and self._left.is_ready and not self.starts_a_process_per_turn:
                    tasks.create_task(self._be_ready_again(), name="engine-catch-up")
                exit_ = await _exit_of(process)
                ending.cancel()
            self.last_exit = exit_
            if exit_.code and (refusal := self._resumption.read_last_words(self._stderr_tail)) is not None:
                await self._take_event(refusal)
            await self._output.route(self._engine.closed(exit_, self._stderr_tail))
        except asyncio.CancelledError:
            raise
        except BaseException:
            self.report = await process.stop(grace_s=STOP_GRACE_S)
            raise
        finally:
            self._process = None
        self.report = await process.stop(grace_s=STOP_GRACE_S)
        return exit_

    async def _spawn(self, spec: SpawnSpec) -> AgentProcess:
        try:
            return await self._keeper.spawn(spec)
        except (Closed, Lost) as gone:
            raise EngineFailed(self._agent_name, str(gone)) from gone

    async def _find_left(self, spawn_id: str, turn: OpenTurn | None) -> AgentProcess | None:
        if self._left is None or (turn is not None and not turn.is_replayed):
            return None
        return await self._keeper.attach(spawn_id)

    async def _write_first(self, process: AgentProcess, spawn_id: str, turn: OpenTurn | None) -> None:
        """Under ids, so that what was written by a server before is not written again."""
        try:
            if not self.starts_a_process_per_turn and (opening := self._engine.opened()):
                await process.write(opening, write_id=f"{spawn_id}:opening")
            if turn is None:
                return
            await turn.is_due.wait()
            assert turn.prompt is not None, "set before it is due"
            await process.write(turn.prompt, write_id=turn.id)
            if self.starts_a_process_per_turn:
                await process.close_input()
        except Lost:
            # It is gone already; its exit says why, better than we can.
            return

    async def _keep_tail(self, process: AgentProcess) -> None:
        async for chunk in process.output(OutputStream.STDERR):
            text = self._stderr_tail + chunk.data.decode("utf-8", "replace")
            self._stderr_tail = text[-TAIL_CHARS:]
            end = chunk.offset + len(chunk.data)
            await process.consumed(OutputStream.STDERR, end)
            # The tail itself stays, for a server that comes after this one.
            await process.acknowledge(OutputStream.STDERR, max(0, end - TAIL_CHARS))

    # --- what the runner does -----------------------------------------------------------------------------

    def open_turn(self, turn: TurnId, text: str, *, at: datetime) -> OpenTurn:
        """Take the message to the engine. `send` writes it, once the turn is on record with where it began.

        Raises:
            Conflict: a turn is open.
            Lost: the process has ended.
        """
        if self._output.turn is not None:
            raise Conflict(f"{self._agent_name} is still in a turn.")
        if self._is_ended:
            raise Lost(self._agent_name)
        if self.starts_a_process_per_turn:
            # The engine learns of it with its process, since the one before may not have ended yet.
            opened = OpenTurn(turn, text, BegunTurn(at, turn, 0, 0))
        else:
            begun = BegunTurn(at, self._spawn_id, self._output.position.kept_from, self._output.position.at)
            opened = OpenTurn(turn, text, begun)
            self._output.give(opened)
        self._output.turn = opened
        return opened

    async def send(self, turn: OpenTurn) -> None:
        """Start the turn; its stream ends with exactly one terminal event, unless `stop` comes first.

        Raises:
            Lost: the process has ended.
        """
        try:
            if self.starts_a_process_per_turn:
                self._turns.put_nowait(turn)
            else:
                assert turn.prompt is not None, "it was opened here"
                await self._write(turn.prompt, write_id=turn.id)
        except BaseException:
            await self.settle(turn)
            raise

    def find_left_turn(self, turn: TurnId) -> OpenTurn | None:
        """The turn that a server before this one began and that is read again here."""
        left = self._output.turn
        return left if left is not None and left.id == turn and left.is_replayed else None

    async def settle(self, turn: OpenTurn) -> None:
        """What became of the turn is on record: of a process that goes on, its output is not needed any more.

        Idempotent. Set `turn.is_settled` when the turn itself is off the record: then its own process is given up.
        """
        turn.stream.close()
        if self._output.turn is not turn:
            return
        self._output.turn = None
        if self._process is not None and not self.starts_a_process_per_turn:
            with suppress(Lost):
                await self._output.forget(self._process)

    async def forget_before(self, offset: int) -> None:
        """What the running turn said before is on record."""
        if self._process is not None:
            await self._process.acknowledge(OutputStream.STDOUT, offset)

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
        turn = self._output.turn
        while turn is not None and not turn.is_over.is_set():
            if self._process is not None:
                await self._process.interrupt()
            with suppress(TimeoutError):
                async with asyncio.timeout(INTERRUPT_AGAIN_S):
                    await turn.is_over.wait()

    async def answer(self, request: RequestId, decision: Decision) -> None:
        """Raises `Lost` if the process is gone."""
        data = self._engine.answer(request, decision)
        if data:
            turn = self._output.turn.id if self._output.turn is not None else ""
            await self._write(data, write_id=f"{turn}:{request}")

    async def _write(self, data: bytes, *, write_id: str | None = None) -> None:
        if self._process is None:
            raise Lost(self._agent_name)
        await self._process.write(data, write_id=write_id)

    async def stop(self) -> None:
        """End the CLI: its own way first, then by force. Returns when it is gone; `run` returns soon after."""
        self._is_stopping = True
        if self.starts_a_process_per_turn and not self._turns.full():
            self._turns.put_nowait(None)
        process = self._process
        if process is None:
            return
        try:
            async with asyncio.timeout(OWN_WAY_S):
                await process.close_input()
                await process.wait()
        except TimeoutError:
            await process.stop(grace_s=STOP_GRACE_S)


async def _exit_of(process: AgentProcess) -> Exit:
    try:
        return await process.wait()
    except Lost:
        # Its keeper was killed, and nothing outlives its keeper.
        return Exit(code=None, signal=None)
