"""`idea stop` and `idea status` beside a server and a keeper whose answers the test decides."""

import asyncio
import json
import os
import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from idea.adapters.storage.registry import ProjectRegistry
from idea.application import commands
from idea.domain.delegation import Requester, Source
from idea.domain.errors import EngineFailed, NotFound
from idea.domain.ids import ConversationId, NodeId, SessionId
from idea.domain.outcomes import OUTCOMES
from idea.domain.sessions import Exit, Session, SessionKind, StopReport
from idea.doors.mcp.endpoint import endpoint_path
from idea.keeper.frames import Decoder, Unfit, encode
from idea.keeper.protocol import (
    COMMANDS,
    PROTOCOL,
    Attach,
    Attached,
    Close,
    Command,
    Hello,
    KeeperClosed,
    Stop,
    Stopped,
)
from idea.keeper.reports import ChildReport, ExitReport, Stream, StreamReport
from tests.cli.running import run_idea
from tests.fakes.clock import NOON
from tests.http.fakes import QA
from tests.http.serving import Serving, serving

pytestmark = pytest.mark.slow

CLI = Requester(Source.CLI)
STOPPED = StopReport(Exit(0, None))
NO_PID = 2**30
"""Above every pid that the kernel gives."""


def _let_run(door: Serving) -> None:
    """QA has a session from now on."""
    project = door.house.project
    session = Session(SessionId("s1"), QA.id, SessionKind.PTY, NodeId("n1"), ConversationId("k1"), NOON)
    agents = [replace(one, session=session if one.agent.id == QA.id else None) for one in project.state().agents]
    project.show(replace(project.state(), agents=tuple(agents)))


async def test_an_agent_is_stopped_by_any_of_its_names(tmp_path: Path) -> None:
    async with serving(tmp_path) as door:
        project = door.house.project
        project.answers[commands.StopAgent] = STOPPED
        idle = await run_idea("stop", "id-qa", door=door, cwd=tmp_path)
        _let_run(door)
        ended = await run_idea("stop", "qa", door=door, cwd=tmp_path)

    assert (idle.code, idle.out) == (0, f"Qa does not run in {tmp_path}.\n")
    assert (ended.code, ended.out, ended.err) == (0, f"Stopped Qa in {tmp_path}.\n", "")
    assert project.dispatched == [(CLI, commands.StopAgent("id-qa")), (CLI, commands.StopAgent("qa"))]


@pytest.mark.parametrize(
    "error",
    [NotFound("agent", "qa", choices=["main"]), EngineFailed("Qa", "it does not end")],
    ids=lambda one: one.code,
)
async def test_what_keeps_an_agent_from_being_stopped_is_the_exit_code(tmp_path: Path, error: Exception) -> None:
    async with serving(tmp_path) as door:
        _let_run(door)
        door.house.project.answers[commands.StopAgent] = error
        one = await run_idea("stop", "qa", door=door, cwd=tmp_path)
        everyone = await run_idea("stop", "--all", door=door, cwd=tmp_path)

    row = OUTCOMES[error.code]  # type: ignore[attr-defined] # of an IdeaError
    for ended in (one, everyone):
        assert (ended.code, ended.out) == (row.exit_code, "")
        assert ended.err.startswith(f"idea: {error}\n")


async def test_processes_that_resist_are_named(tmp_path: Path) -> None:
    async with serving(tmp_path) as door:
        _let_run(door)
        door.house.project.answers[commands.StopAgent] = StopReport(None, (4711, 4712))
        ended = await run_idea("stop", "qa", door=door, cwd=tmp_path)

    assert ended.code == OUTCOMES["ENGINE_FAILED"].exit_code
    assert f"Of {tmp_path}, processes 4711 and 4712 are still running." in ended.err
    assert "kill -9 4711 4712" in ended.err


async def test_an_agent_that_begins_anew_whenever_it_is_stopped_is_named(tmp_path: Path) -> None:
    async with serving(tmp_path) as door:
        _let_run(door)
        door.house.project.answers[commands.StopAgent] = STOPPED
        ended = await run_idea("stop", door=door, cwd=tmp_path)

    assert (ended.code, ended.out) == (OUTCOMES["CONFLICT"].exit_code, f"Stopped Qa in {tmp_path}.\n")
    assert "Qa" in ended.err
    assert "began anew" in ended.err


async def test_where_nothing_runs_that_is_said_and_nothing_is_made(tmp_path: Path) -> None:
    for arguments in ((), ("qa",), ("--all",)):
        ended = await run_idea("stop", *arguments, door=None, cwd=tmp_path)
        assert (ended.code, ended.out, ended.err) == (0, "No agent of yours is running.\n", "")
    named = await run_idea("stop", "--project", tmp_path, door=None, cwd=tmp_path)
    status = await run_idea("status", "--json", door=None, cwd=tmp_path)

    assert (named.code, named.out) == (0, f"No agent runs in {tmp_path}.\n")
    assert status.code == OUTCOMES["LOST"].exit_code
    assert json.loads(status.out) == {"version": None, "projects": [], "keepers": []}
    assert os.listdir(tmp_path) == []


async def test_what_cannot_be_meant_is_refused(tmp_path: Path) -> None:
    both = await run_idea("stop", "qa", "--all", door=None, cwd=tmp_path)
    missing = await run_idea("stop", "--project", "none", door=None, cwd=tmp_path)

    assert (both.code, missing.code) == (2, OUTCOMES["INVALID"].exit_code)


# --- a keeper -------------------------------------------------------------------------------------------------


@pytest.fixture
def login() -> Iterator[Path]:
    """A runtime folder for a command; short, since sockets lie in it."""
    with tempfile.TemporaryDirectory(prefix="idea-") as folder:
        (Path(folder) / "idea").mkdir(mode=0o700)
        yield Path(folder)


@asynccontextmanager
async def keeping(
    login: Path, *children: ChildReport, survivors: tuple[int, ...] = (), protocol: int = PROTOCOL, name: str = "0123"
) -> AsyncIterator[list[Command]]:
    """A keeper that says this of itself, and on Close that these survive; what it was told."""
    told: list[Command] = []

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        decoder: Decoder[Command] = Decoder(*COMMANDS)
        # Its pid runs no longer when it has said its last word.
        writer.writelines(encode(Hello(0, "k", protocol, "9.8.7", NO_PID, 3, False, children)))
        while data := await reader.read(65536):
            for command in decoder.feed(data):
                assert not isinstance(command, Unfit)
                told.append(command)
                match command:
                    case Attach():
                        writer.writelines(encode(Attached(1)))
                    case Stop(request):
                        writer.writelines(encode(Stopped(request, ())))
                    case Close():
                        writer.writelines(encode(KeeperClosed(survivors)))
        writer.close()

    server = await asyncio.start_unix_server(talk, login / "idea" / f"{name}.keeper")
    async with server:
        yield told


def _child(note: str, *, exit: ExitReport | None = None) -> ChildReport:
    streams = (StreamReport(Stream.STDOUT, 100, 2_350, False), StreamReport(Stream.STDERR, 0, 50, False))
    return ChildReport("s1", NO_PID, exit, streams, None, 0, note)


async def test_what_a_keeper_holds_is_shown_with_its_size(tmp_path: Path, login: Path) -> None:
    note = json.dumps({"id": "id-qa", "agent": "qa", "name": "Qa", "kind": "structured"})
    children = (_child(note), _child("a later version's words", exit=ExitReport(None, 9)))
    async with keeping(login, *children):
        env = {"XDG_RUNTIME_DIR": str(login)}
        plain = await run_idea("status", door=None, cwd=tmp_path, env=env)
        for_programs = await run_idea("status", "--json", door=None, cwd=tmp_path, env=env)

    socket = login / "idea" / "0123.keeper"
    assert plain.out.splitlines()[1:] == [
        f"The keeper of an unknown project, at {socket} (process {NO_PID}, IdeA 9.8.7) holds 1 agent",
        f"  Qa                  chat  process {NO_PID}   2 kB put by",
        f"  process {NO_PID}        ended with signal 9  2 kB put by",
    ]
    assert json.loads(for_programs.out)["keepers"] == [
        {
            "project": None,
            "socket": str(socket),
            "pid": NO_PID,
            "answers": True,
            "version": "9.8.7",
            "isEnding": False,
            "agents": [
                {
                    "id": "id-qa",
                    "slug": "qa",
                    "name": "Qa",
                    "kind": "structured",
                    "role": "main",
                    "pid": NO_PID,
                    "exit": None,
                    "putByBytes": 2300,
                },
                {
                    "id": None,
                    "slug": None,
                    "name": f"process {NO_PID}",
                    "kind": None,
                    "role": "main",
                    "pid": NO_PID,
                    "exit": {"code": None, "signal": 9},
                    "putByBytes": 2300,
                },
            ],
        }
    ]


async def test_survivors_of_a_keeper_are_named_if_they_run(tmp_path: Path, login: Path) -> None:
    note = json.dumps({"name": "Qa"})
    async with keeping(login, _child(note), survivors=(os.getpid(), NO_PID)) as told:
        ended = await run_idea("stop", "--all", door=None, cwd=tmp_path, env={"XDG_RUNTIME_DIR": str(login)})

    assert told == [Close(5.0)]
    assert ended.code == OUTCOMES["ENGINE_FAILED"].exit_code
    assert ended.out.startswith("Stopped Qa in an unknown project, at ")
    assert f"process {os.getpid()} is still running." in ended.err


async def test_a_keeper_of_an_earlier_protocol_is_shown_and_stopped_in_its_own(tmp_path: Path, login: Path) -> None:
    """One agent by its name, in a project that is known; then the rest."""
    (project := tmp_path / "shop").mkdir()
    registry = ProjectRegistry(tmp_path / "state" / "idea", endpoint_of=lambda _: login / "unused")
    opened, _ = registry.open_project(project)
    name = endpoint_path(login / "idea", opened.id).stem
    note = json.dumps({"id": "id-qa", "agent": "qa", "name": "Qa", "kind": "structured"})
    env = {"XDG_RUNTIME_DIR": str(login), "XDG_STATE_HOME": str(tmp_path / "state")}
    async with keeping(login, _child(note), protocol=PROTOCOL - 1, name=name) as told:
        status = await run_idea("status", door=None, cwd=tmp_path, env=env)
        one = await run_idea("stop", "qa", door=None, cwd=project, env=env)
        rest = await run_idea("stop", "--all", door=None, cwd=tmp_path, env=env)

    assert "IdeA 9.8.7) holds 1 agent" in status.out
    assert (one.code, one.out, one.err) == (0, f"Stopped Qa in {project}.\n", "")
    assert (rest.code, rest.out, rest.err) == (0, f"Stopped Qa in {project} and ended the keeper.\n", "")
    assert told == [Attach(PROTOCOL - 1), Stop(1, "s1", 5.0), Close(5.0)]
