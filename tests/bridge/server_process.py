"""A server to be killed: `python -m tests.bridge.server_process RUNTIME JOURNAL`.

Its team writes what it did to the journal and answers when it is told to, as real asks do across servers: what the
journal holds is not done again. Says `ready`, then what it does, a line each; a line on its input releases the answers.
"""

import asyncio
import json
import os
import sys
from pathlib import Path
from typing import TypeVar, cast

from idea.application.commands import AskAgent, Command
from idea.domain.delegation import Delegation, Requester
from idea.domain.ids import DelegationId
from idea.domain.sessions import SessionRole
from idea.doors.mcp.endpoint import endpoint_path
from idea.doors.mcp.launch_secrets import LaunchSecrets
from idea.doors.mcp.server import McpDoor
from tests.mcp.house import MAIN, NOON, PROJECT, QA

R = TypeVar("R")


class RecordingTeam:
    def __init__(self, journal: Path) -> None:
        self._journal = journal
        lines = journal.read_text(encoding="utf-8").splitlines() if journal.exists() else []
        self._known: dict[str, str] = dict(json.loads(line) for line in lines)
        """What became of each call."""
        self.release = asyncio.Event()

    async def __call__(self, requester: Requester, command: Command[R]) -> R:
        assert isinstance(command, AskAgent)
        assert command.call is not None
        state = self._known.get(command.call, "new")
        if state == "new":
            self._write(command.call, "begun")
        say(f"{state} {command.message}")
        if state != "answered":
            await self.release.wait()
            self._write(command.call, "answered")
        asked = Delegation(
            id=DelegationId(command.call),
            number=1,
            requester=requester,
            requester_name="Main",
            target=QA,
            target_name="QA",
            message=command.message,
            depth=1,
            asked_at=NOON,
        )
        return cast(R, asked.answer(command.message, at=NOON))

    def _write(self, call: str, state: str) -> None:
        self._known[call] = state
        with self._journal.open("a", encoding="utf-8") as file:
            file.write(json.dumps([call, state]) + "\n")
            file.flush()
            os.fsync(file.fileno())


def say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


async def serve(runtime: Path, journal: Path) -> None:
    launched = LaunchSecrets(runtime, runtime / "lasting", PROJECT)
    launched.restore([(MAIN, SessionRole.MAIN)])
    team = RecordingTeam(journal)
    door = McpDoor(
        project=PROJECT,
        endpoint=endpoint_path(runtime, PROJECT),
        dispatch=team,
        secrets=launched,
        current_turn=lambda _agent, _role: None,
    )
    ready = asyncio.Event()
    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(door.run(ready=ready))
        await ready.wait()
        say("ready")
        await asyncio.to_thread(sys.stdin.readline)
        team.release.set()


if __name__ == "__main__":
    asyncio.run(serve(Path(sys.argv[1]), Path(sys.argv[2])))
