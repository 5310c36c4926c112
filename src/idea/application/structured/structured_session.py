"""One headless life of an agent: speaks through the engine, one turn at a time.

Above it: `turn_runner`, which reads a `TurnStream`. Below: the keeper's process and the engine's pure protocol. What a
killed server left is taken over: the process goes on, and the turn it works on is read again from its beginning.
"""

import asyncio
from contextlib import suppress
from datetime import datetime
from typing import Final

from idea.application.ports import Engine, Keeper
from idea.application.structured.engine_claims import EngineClaims
from idea.application.structured.engine_output import EngineOutput, OnSessionEvent
from idea.application.structured.engine_processes import EngineProcesses, MakeSpec
from idea.application.structured.open_turn import LeftSession, OpenTurn
from idea.application.structured.resumption import Resumption, refused
from idea.domain.errors import Conflict, EngineFailed, Lost, TurnFailed, lost_with_keeper
from idea.domain.ids import RequestId, TurnId
from idea.domain.replies import Decision, EngineReady, Failed, FailureKind, ResumeRefused
from idea.domain.sessions import Exit, StopReport
from idea.domain.unfinished import BegunTurn

INTERRUPT_AGAIN_S: Final = 1.0
"""Between signals: a CLI that is still starting, or not even running yet, hears none of them."""


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
        self._claims = EngineClaims(
            resumption,
            on_event=on_event,
            on_refused=self._give_up,
            is_catching_up=left is not None and left.has_rest,
        )
        self._output = EngineOutput(agent_name, engine, on_event=self._claims.take)
        self._output.turn = left.turn if left is not None else None
        self._processes = EngineProcesses(
            agent_name, keeper, engine, spec=spec, output=self._output, claims=self._claims, left=left
        )
        self._turns: asyncio.Queue[OpenTurn | None] = asyncio.Queue(maxsize=2)
        """For an engine with a process per turn; None ends it."""
        self._is_ending = False
        """Nobody takes a turn from there any more."""
        self.has_ended = False
        """It takes no more turns."""

    @property
    def starts_a_process_per_turn(self) -> bool:
        """Each of its processes reads the project's configuration anew."""
        return self._processes.are_per_turn

    @property
    def report(self) -> StopReport:
        """How the process ended; complete when `run` has returned."""
        return self._processes.report

    @property
    def last_exit(self) -> Exit | None:
        """Of the latest process, known before its engine tells the turn of it; None while one runs."""
        return self._processes.last_exit

    def carry(self) -> dict[str, object]:
        """What the engine knows beyond the turn; for the record."""
        return dict(self._engine.carry())

    # --- life ---------------------------------------------------------------------------------------------

    async def run(self, *, ready: asyncio.Event) -> None:
        """Lives until the process has ended (one process per session) or `stop` was called (one per turn).

        Cancelling it leaves the process alone: whoever cancels ends the server, not the agent.

        Raises:
            EngineFailed: the process could not be started, or ended before it was ready.
            Lost: it ended with its keeper before it was ready.
            ConversationRefused: it does not go on with its conversation, and nothing waits for it yet.
        """
        self._claims.ready = ready
        try:
            if self.starts_a_process_per_turn:
                if self._output.turn is not None:
                    self._turns.put_nowait(self._output.turn)
                await self._claims.take(EngineReady())
                await self._run_process_per_turn()
            else:
                await self._run_one_process(ready)
        except Exception as error:
            await self._fail_turn(error)
            raise
        finally:
            self.has_ended = True

    async def _run_one_process(self, ready: asyncio.Event) -> None:
        exit_ = await self._processes.run(self._spawn_id, self._output.turn)
        if ready.is_set():
            return
        if self._claims.refusal is not None:
            raise refused(self._agent_name, self._claims.refusal)
        if not self._processes.is_stopping and not exit_.is_known:
            raise lost_with_keeper(self._agent_name)
        if not self._processes.is_stopping:
            tail = self._processes.last_words.text
            raise EngineFailed(self._agent_name, f"its CLI ended at once with {exit_}", tail=tail)

    async def _fail_turn(self, error: Exception) -> None:
        """Nobody reads what would end it: whoever waits for it is told now."""
        turn = self._output.turn
        if turn is None or turn.is_over.is_set():
            return
        while isinstance(error, ExceptionGroup):
            error = error.exceptions[0]
        reason = f"a fault of IdeA ({type(error).__name__})"
        turn.is_over.set()
        turn.stream.request_stop(TurnFailed(self._agent_name, reason, why="faultOfIdea"))
        await turn.stream.put(Failed(FailureKind.DIED, reason))

    def _give_up(self, refusal: ResumeRefused) -> None:
        """A CLI without the agent's conversation is not the agent: what it says from now on is nobody's answer."""
        if self._output.turn is not None:
            self._output.turn.stream.request_stop(refused(self._agent_name, refusal))
        self._take_no_more()

    def _take_no_more(self) -> None:
        self._is_ending = True
        if self.starts_a_process_per_turn and not self._turns.full():
            self._turns.put_nowait(None)

    async def _run_process_per_turn(self) -> None:
        while (turn := await self._turns.get()) is not None:
            try:
                await self._processes.run(turn.id, turn)
            except (EngineFailed, Lost) as failed:
                self._output.give(turn)
                code = 127 if isinstance(failed, EngineFailed) else None
                await self._output.route(self._engine.closed(Exit(code, signal=None), str(failed)))
            # Until then a server that comes after this one needs its output and its exit.
            await turn.is_settled.wait()
            await self._keeper.forget(turn.id)

    # --- what the runner does -----------------------------------------------------------------------------

    def open_turn(self, turn: TurnId, text: str, *, at: datetime) -> OpenTurn:
        """Take the message to the engine. `send` writes it, once the turn is on record with where it began.

        Raises:
            Conflict: a turn is open.
            Lost: the process has ended.
        """
        if self._output.turn is not None:
            raise Conflict(f"{self._agent_name} is still in a turn.")
        if self.has_ended:
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

        Nobody waits for the CLI to take the message; one that ends before it did says `NotTaken`.

        Raises:
            Lost: the process has ended.
        """
        try:
            if self.starts_a_process_per_turn:
                if self._is_ending:
                    raise Lost(self._agent_name)
                self._turns.put_nowait(turn)
            else:
                assert turn.prompt is not None, "it was opened here"
                self._processes.write(turn.prompt, write_id=turn.id, prompt_of=turn)
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
        await self._processes.forget_output()

    async def forget_before(self, offset: int) -> None:
        """What the running turn said before is on record."""
        await self._processes.forget_before(offset)

    async def interrupt(self) -> None:
        """Ask the CLI to stop its turn; the stream tells when it did.

        One that takes signals is asked until the turn is over; the caller bounds it.

        Raises:
            Lost: the process is gone.
        """
        data = self._engine.interrupt()
        if data is not None:
            self._processes.write(data)
            return
        turn = self._output.turn
        while turn is not None and not turn.is_over.is_set():
            await self._processes.interrupt()
            with suppress(TimeoutError):
                async with asyncio.timeout(INTERRUPT_AGAIN_S):
                    await turn.is_over.wait()

    async def answer(self, request: RequestId, decision: Decision) -> None:
        """Raises `Lost` if the process is gone."""
        data = self._engine.answer(request, decision)
        if data:
            turn = self._output.turn.id if self._output.turn is not None else ""
            self._processes.write(data, write_id=f"{turn}:{request}")

    async def stop(self) -> None:
        """End the CLI: its own way first, then by force. Returns when it is gone; `run` returns soon after."""
        self._take_no_more()
        await self._processes.stop()
