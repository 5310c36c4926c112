"""A keeper behind a link, as the use cases see it (`ports.Keeper`), wherever it runs."""

import json
import os
from asyncio import CancelledError
from collections.abc import Sequence
from functools import partial
from pathlib import Path, PurePath

from idea.adapters.keeper.link import Link
from idea.adapters.keeper.process import ANSWER_S, KeptProcess
from idea.domain.errors import EngineFailed, Lost, Refused
from idea.domain.sessions import Exit, KeptChild, KeptStream, OutputStream, SpawnSpec, TerminalSize
from idea.keeper.protocol import (
    Done,
    Failed,
    Forget,
    Hello,
    Lock,
    Look,
    Reason,
    Spawn,
    Spawned,
    Stop,
    Unlock,
)
from idea.keeper.reports import ChildReport

SPAWN_S = 15.0
"""Longer than the keeper itself waits for a launch, so that its reason arrives first."""


class LinkedKeeper:
    """Who derives from it says where the link leads."""

    outlives_server: bool

    def __init__(self, link: Link) -> None:
        self._link = link
        self._identity = ""
        """Set before the first use."""

    @property
    def identity(self) -> str:
        return self._identity

    def has_ended(self, identity: str) -> bool:
        return identity != self._identity or self._link.closed.is_set()

    async def spawn(self, spec: SpawnSpec) -> KeptProcess:
        """Raises `EngineFailed`, and `Closed`, `Lost` when there is no keeper."""
        size = (spec.terminal.cols, spec.terminal.rows) if spec.terminal is not None else None
        env = tuple(spec.env.items())
        name = PurePath(spec.argv[0]).name if spec.argv else "no program"
        note = self._link.exit_note(spec.spawn_id)
        try:
            answer = await self._link.ask(
                lambda request: Spawn(request, spec.spawn_id, spec.argv, spec.cwd, env, size, spec.note, spec.lock),
                timeout_s=SPAWN_S,
            )
        except CancelledError:
            # Nobody would hold the process that may come of it, but for a server that comes after this one.
            if not self.outlives_server:
                self._give_up(spec.spawn_id)
            raise
        except Lost:
            self._give_up(spec.spawn_id)
            raise
        if not isinstance(answer, Spawned):
            self._link.forget(spec.spawn_id)
            if isinstance(answer, Failed) and answer.reason is Reason.LOST:
                raise Lost("The keeper")
            detail = answer.detail if isinstance(answer, Failed) else "the keeper gave no answer"
            program = spec.argv[0] if spec.argv else ""
            reason = f"{program} could not be started in {spec.cwd}: {detail}"
            raise EngineFailed(name, reason, why="cannotStart", program=program, folder=spec.cwd, detail=detail)
        return KeptProcess(self._link, spawn_id=spec.spawn_id, pid=answer.pid, name=name, exit_note=note)

    def _give_up(self, spawn_id: str) -> None:
        """Whatever comes of a spawn that nobody waits for any more."""
        if not self._link.closed.is_set():
            self._link.begin(lambda request: Stop(request, spawn_id, 0.0))

    async def children(self) -> Sequence[KeptChild]:
        return [as_kept(report) for report in await self._reports()]

    async def attach(self, spawn_id: str) -> KeptProcess | None:
        note = self._link.exit_note(spawn_id)
        for report in await self._reports():
            if report.spawn_id == spawn_id:
                if report.exit is not None:
                    note.tell(Exit(report.exit.code, report.exit.signal))
                    self._link.forget(spawn_id)
                name = f"process {report.pid}"
                return KeptProcess(self._link, spawn_id=spawn_id, pid=report.pid, name=name, exit_note=note)
        self._link.forget(spawn_id)
        return None

    async def forget(self, spawn_id: str) -> None:
        if not self._link.closed.is_set():
            self._link.post(Forget(spawn_id))

    async def lock(self, path: Path, name: str) -> None:
        """Have the keeper hold the lock of the agent called `name`, until `unlock` or the keeper's end. Idempotent.

        A survivor of a keeper that was killed, which the lock still names, is ended first.

        Raises:
            Refused: somebody else holds it.
            Lost, Closed: there is no keeper.
        """
        answer = await self._link.ask(partial(Lock, path=os.fspath(path)), timeout_s=ANSWER_S)
        if isinstance(answer, Failed) and answer.reason is Reason.LOCKED:
            raise _refusal(name, answer.detail)
        if not isinstance(answer, Done):
            raise Lost("The keeper")

    async def unlock(self, path: Path) -> None:
        """Idempotent."""
        if not self._link.closed.is_set():
            await self._link.ask(partial(Unlock, path=os.fspath(path)), timeout_s=ANSWER_S)

    async def _reports(self) -> Sequence[ChildReport]:
        answer = await self._link.ask(Look, timeout_s=ANSWER_S)
        if not isinstance(answer, Hello):
            raise Lost("The keeper")
        return answer.children


def as_kept(report: ChildReport) -> KeptChild:
    return KeptChild(
        report.spawn_id,
        report.pid,
        report.note,
        Exit(report.exit.code, report.exit.signal) if report.exit is not None else None,
        TerminalSize(*report.size) if report.size is not None else None,
        report.answered,
        {
            OutputStream(stream.stream.value): KeptStream(stream.acknowledged, stream.end, stream.is_ended)
            for stream in report.streams
        },
    )


def _refusal(name: str, detail: str) -> Refused:
    """`detail` is the note of the lock's holder, or why there is none to be had."""
    try:
        note = json.loads(detail or "{}")
    except ValueError:
        return Refused(f"{name} cannot be started: its lock cannot be taken ({detail}).")
    found = note.get("keeper", note.get("pid")) if isinstance(note, dict) else None
    pid = found if isinstance(found, int) else None
    holder = f"process {pid}" if pid is not None else "another process"
    return Refused(
        f"{name} already runs in another IdeA server ({holder}). Stop it there first.",
        why="runsOnAnotherServer",
        agent=name,
        pid=pid,
    )
