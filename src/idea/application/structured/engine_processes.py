"""The processes of one headless session, one at a time: found or started, read, written to, ended.

Above it: `structured_session`, which knows the turns. Below: the keeper.
"""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Final

from idea.application.ports import AgentProcess, Engine, EngineLifetime, Keeper
from idea.application.process_end import ended_with
from idea.application.process_start import start_process
from idea.application.structured.engine_claims import EngineClaims
from idea.application.structured.engine_input import EngineInput
from idea.application.structured.engine_output import EngineOutput
from idea.application.structured.last_words import LastWords
from idea.application.structured.open_turn import LeftSession, OpenTurn
from idea.domain.errors import Lost
from idea.domain.ids import ConversationId
from idea.domain.sessions import Exit, KeptStream, OutputStream, SpawnSpec, StopReport

OWN_WAY_S: Final = 3.0
"""Time for the CLI to leave by itself after its input ended."""
STOP_GRACE_S: Final = 2.0
"""Time between SIGTERM and SIGKILL; with `OWN_WAY_S` a stop stays under 5 s."""
LINGER_S: Final = 3.0
"""Time to leave for one whose only turn is over."""

MakeSpec = Callable[[str, ConversationId | None], Awaitable[SpawnSpec]]
"""The process to start, given its spawn id and the conversation to resume (None: the launch's own choice)."""


class EngineProcesses:
    def __init__(
        self,
        agent_name: str,
        keeper: Keeper,
        engine: Engine,
        *,
        spec: MakeSpec,
        output: EngineOutput,
        claims: EngineClaims,
        left: LeftSession | None,
    ) -> None:
        """What a process says goes to `output`. The first may be `left` by the server before."""
        self._agent_name = agent_name
        self._keeper = keeper
        self._engine = engine
        self._spec = spec
        self._output = output
        self._claims = claims
        self._left = left
        self._process: AgentProcess | None = None
        self._input = EngineInput(agent_name)
        """Of the process that runs."""
        self.last_words = LastWords()
        """Of the latest process, as the next two."""
        self.last_exit: Exit | None = None
        """Known before its engine tells the turn of it; None while one runs."""
        self.report = StopReport(exit=None)
        """How it ended; complete when `run` has returned."""
        self.is_stopping = False

    @property
    def are_per_turn(self) -> bool:
        return self._engine.lifetime is EngineLifetime.TURN

    # --- life of one --------------------------------------------------------------------------------------

    async def run(self, spawn_id: str, turn: OpenTurn | None) -> Exit:
        """Lives until the process has ended and its whole tree is gone. Cancelling it leaves the process alone.

        Raises:
            EngineFailed: it could not be started.
            Lost: its keeper ended before it started.
        """
        process = await self._find_left(spawn_id, turn)
        rest = self._left.stdout if self._left is not None and process is not None else None
        if process is None:
            if self.are_per_turn:
                self._claims.expect_same()
            process = await self._spawn(await self._spec(spawn_id, self._claims.conversation))
        self._process = process
        self._input = EngineInput(self._agent_name)
        self.last_words = LastWords()
        self._output.on_stray = self.last_words.stray
        self.last_exit = None
        async with ended_with(process, grace_s=STOP_GRACE_S, on_ended=self._note_report):
            try:
                if self.is_stopping:
                    # The stop came while the process was being made, and found none to stop.
                    await process.stop(grace_s=STOP_GRACE_S)
                exit_ = await self._live_with(process, spawn_id, turn, rest)
                self.last_exit = exit_
                if exit_.code:
                    await self._claims.take_last_words(self.last_words.text)
                await self._output.route(self._engine.closed(exit_, self.last_words.text))
            finally:
                self._process = None
        return exit_

    def _note_report(self, report: StopReport) -> None:
        self.report = report

    async def _live_with(
        self, process: AgentProcess, spawn_id: str, turn: OpenTurn | None, rest: KeptStream | None
    ) -> Exit:
        async with asyncio.TaskGroup() as tasks:
            ending = [tasks.create_task(self._end_if_refused(process), name="engine-refused")]
            if self.are_per_turn and turn is not None:
                ending.append(tasks.create_task(_end_after(turn, process), name="engine-lingering"))
            # Reading starts before writing: a CLI that talks first must not block on a full pipe.
            tasks.create_task(self._output.read(process, turn, rest), name="engine-stdout")
            tasks.create_task(self.last_words.keep(process), name="engine-stderr")
            tasks.create_task(self._write_first(process, spawn_id, turn), name="engine-first-words")
            writing = tasks.create_task(self._input.run(process), name="engine-stdin")
            if self._left is not None and self._left.is_ready and not self.are_per_turn:
                again = self._claims.be_ready_again(self._output.has_caught_up)
                tasks.create_task(again, name="engine-catch-up")
            exit_ = await _exit_of(process)
            for each in ending:
                each.cancel()
            await self._input.wait_answered()
            writing.cancel()
        # Before the turn hears of the end: what was not taken can be given to the next process.
        self._input.close()
        return exit_

    async def _find_left(self, spawn_id: str, turn: OpenTurn | None) -> AgentProcess | None:
        if self._left is None or (turn is not None and not turn.is_replayed):
            return None
        if not self.are_per_turn:
            return self._left.process
        return await self._keeper.attach(spawn_id)

    async def _spawn(self, spec: SpawnSpec) -> AgentProcess:
        try:
            return await start_process(self._keeper, spec, agent_name=self._agent_name)
        except Lost:
            self.last_exit = Exit(code=None, signal=None)
            raise

    async def _end_if_refused(self, process: AgentProcess) -> None:
        await self._claims.wait_refused()
        # Most end by themselves; one that took up another conversation would go on with it.
        await process.stop(grace_s=STOP_GRACE_S)

    async def _write_first(self, process: AgentProcess, spawn_id: str, turn: OpenTurn | None) -> None:
        """Under ids, so that what was written by a server before is not written again."""
        try:
            if not self.are_per_turn and (opening := self._engine.opened()):
                await process.write(opening, write_id=f"{spawn_id}:opening")
            if turn is None:
                return
            await turn.is_due.wait()
            assert turn.prompt is not None, "set before it is due"
            await process.write(turn.prompt, write_id=turn.id)
            if self.are_per_turn:
                await process.close_input()
        except Lost:
            # It is gone already; its exit says why, better than we can.
            return

    # --- the one that runs --------------------------------------------------------------------------------

    def write(self, data: bytes, *, write_id: str | None = None, prompt_of: OpenTurn | None = None) -> None:
        """As `EngineInput.put`. Raises `Lost` if none runs."""
        if self._process is None:
            raise Lost(self._agent_name)
        self._input.put(data, write_id=write_id, prompt_of=prompt_of)

    async def interrupt(self) -> None:
        """By signal, if one runs."""
        if self._process is not None:
            await self._process.interrupt()

    async def forget_output(self) -> None:
        """Of a process that goes on after the turn, what was read is not needed any more."""
        if self._process is not None and not self.are_per_turn:
            with suppress(Lost):
                await self._output.forget(self._process)

    async def forget_before(self, offset: int) -> None:
        """What it said before is on record."""
        if self._process is not None:
            await self._process.acknowledge(OutputStream.STDOUT, offset)

    async def stop(self) -> None:
        """End it: its own way first, then by force. Returns when it is gone; `run` returns soon after."""
        self.is_stopping = True
        process = self._process
        if process is None:
            return
        try:
            async with asyncio.timeout(OWN_WAY_S):
                await process.close_input()
                await process.wait()
        except TimeoutError:
            await process.stop(grace_s=STOP_GRACE_S)


async def _end_after(turn: OpenTurn, process: AgentProcess) -> None:
    """One that has told the end of its only turn and stays would keep the next turn from its own."""
    await turn.is_over.wait()
    try:
        async with asyncio.timeout(LINGER_S):
            await _exit_of(process)
    except TimeoutError:
        await process.stop(grace_s=STOP_GRACE_S)


async def _exit_of(process: AgentProcess) -> Exit:
    try:
        return await process.wait()
    except Lost:
        # Its keeper was killed, and nothing outlives its keeper.
        return Exit(code=None, signal=None)
