"""The commands that talk to a running server: what they print, and the code they end with."""

import json
import os
import re
from dataclasses import replace
from pathlib import Path

import pytest

from idea.application import commands
from idea.domain.agents import BrokenAgent
from idea.domain.delegation import Delegation, Requester, Source
from idea.domain.errors import DelegationCycle, IdeaError, NotFound, TargetReturnedNoReply, Timeout
from idea.domain.ids import AgentSlug, DelegationId
from idea.domain.outcomes import OUTCOMES
from tests.cli.running import run_idea
from tests.fakes.clock import NOON
from tests.http.fakes import QA, WAIT
from tests.http.serving import serving

pytestmark = pytest.mark.slow

CLI = Requester(Source.CLI)
ANSWERED = Delegation(DelegationId("d1"), 1, CLI, "human", QA.id, "Qa", "Well?", 1, NOON).answer(
    "All green. ✓", at=NOON.replace(second=2)
)


def files_below(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()]


def read_with_mode(path: Path) -> tuple[str, int]:
    return path.read_text(), path.stat().st_mode & 0o777


async def test_an_answer_is_printed(tmp_path: Path) -> None:
    async with serving(tmp_path) as door:
        door.house.project.answers[commands.AskAgent] = ANSWERED
        ended = await run_idea("ask", "qa", "Well?", door=door, cwd=tmp_path)

    assert (ended.code, ended.out, ended.err) == (0, "All green. ✓\n", "")
    assert door.house.project.dispatched == [(CLI, commands.AskAgent("qa", "Well?", None))]


async def test_an_answer_is_printed_for_programs(tmp_path: Path) -> None:
    async with serving(tmp_path) as door:
        door.house.project.answers[commands.AskAgent] = ANSWERED
        ended = await run_idea("ask", "qa", "-", "--json", "--timeout", "5", door=door, cwd=tmp_path, stdin="Well\n?")

    assert json.loads(ended.out) == {
        "outcome": "answered",
        "ticketId": "d1",
        "reply": "All green. ✓",
        "durationMs": 2000,
    }
    assert door.house.project.dispatched == [(CLI, commands.AskAgent("qa", "Well\n?", 5.0))]


@pytest.mark.parametrize(
    "error",
    [
        NotFound("agent", "qa", choices=["main"]),
        Timeout("Qa", DelegationId("d1"), limit_s=5, is_queued=True),
        TargetReturnedNoReply("Qa"),
        DelegationCycle(["Main", "Main"]),
    ],
    ids=lambda error: error.code,
)
async def test_what_became_of_an_ask_is_its_exit_code(tmp_path: Path, error: IdeaError) -> None:
    async with serving(tmp_path) as door:
        door.house.project.answers[commands.AskAgent] = error
        plain = await run_idea("ask", "qa", "Well?", door=door, cwd=tmp_path)
        for_programs = await run_idea("ask", "qa", "Well?", "--json", door=door, cwd=tmp_path)

    row = OUTCOMES[error.code]
    assert (plain.code, plain.out) == (row.exit_code, "")
    assert plain.err.startswith(f"idea: {error}\n      ")
    # What a model is told is not for people: no names of its tools and arguments, and no "user".
    assert not re.search(r"idea_|timeoutSeconds|the user\b", plain.err)
    assert for_programs.code == row.exit_code
    assert json.loads(for_programs.out) == {"outcome": row.name, "message": str(error), **error.fields()}


async def test_ctrl_c_takes_the_ask_back(tmp_path: Path) -> None:
    async with serving(tmp_path) as door:
        project = door.house.project
        project.answers[commands.AskAgent] = WAIT
        ended = await run_idea("ask", "qa", "Well?", door=door, cwd=tmp_path, interrupt_when=project.waiting)
        await project.was_cancelled.wait()

    assert (ended.code, ended.out, ended.err.strip()) == (130, "", "")


async def test_agents_are_listed(tmp_path: Path) -> None:
    async with serving(tmp_path) as door:
        plain = await run_idea("agents", door=door, cwd=tmp_path)
        for_programs = await run_idea("agents", "--json", door=door, cwd=tmp_path)

    assert [line.split()[:2] for line in plain.out.splitlines()] == [["AGENT", "NAME"], ["main", "Main"], ["qa", "Qa"]]
    assert json.loads(for_programs.out)[1] == {
        "id": "id-qa",
        "slug": "qa",
        "name": "Qa",
        "profile": "scripted",
        "readiness": {"state": "idle", "reason": "ready", "source": "engine"},
        "session": None,
        "queue": 0,
        "resumable": None,
    }


async def test_broken_agents_are_named_with_line_and_reason_beside_the_list(tmp_path: Path) -> None:
    async with serving(tmp_path) as door:
        project = door.house.project
        broken = (
            BrokenAgent(AgentSlug("bad"), 3, "name is missing", "agentKeyMissing"),
            BrokenAgent(AgentSlug("odd"), None, "it is a FIFO", "agentUnusable"),
        )
        project.show(replace(project.state(), agents=(), broken=broken))
        plain = await run_idea("agents", door=door, cwd=tmp_path)
        for_programs = await run_idea("agents", "--json", door=door, cwd=tmp_path)
        status = await run_idea("status", door=door, cwd=tmp_path)

    told = "idea: bad.md is broken, line 3: name is missing\nidea: odd.md is broken: it is a FIFO\n"
    assert (plain.code, plain.out, plain.err) == (0, "", told)
    assert (for_programs.code, json.loads(for_programs.out), for_programs.err) == (0, [], told)
    assert "2 broken" in status.out


async def test_the_project_is_the_named_one_else_the_one_around_us_else_the_only_one(tmp_path: Path) -> None:
    inner, elsewhere = tmp_path / "inner" / "deep", tmp_path.parent
    inner.mkdir(parents=True)
    async with serving(tmp_path) as door:
        only = await run_idea("agents", door=door, cwd=elsewhere)
        second = await door.house.projects.open(str(tmp_path / "inner"))
        await second.delete_agent(QA.id)
        unclear = await run_idea("agents", door=door, cwd=elsewhere)
        around = await run_idea("agents", door=door, cwd=inner)
        named = await run_idea("agents", "--project", tmp_path, door=door, cwd=inner)
        closed = await run_idea("agents", "--project", elsewhere, door=door, cwd=inner)
        missing = await run_idea("agents", "--project", tmp_path / "none", door=door, cwd=inner)

    assert [len(ended.out.splitlines()) for ended in (only, around, named)] == [3, 2, 3]
    assert unclear.code == OUTCOMES["INVALID"].exit_code
    assert f"{tmp_path}, {tmp_path / 'inner'}" in unclear.err
    assert closed.code == OUTCOMES["NOT_FOUND"].exit_code
    assert f"idea {elsewhere}" in closed.err
    assert missing.code == OUTCOMES["INVALID"].exit_code


async def test_without_a_server_a_command_says_how_to_start_one(tmp_path: Path) -> None:
    for arguments in (("agents",), ("ask", "qa", "Well?"), ("link",), ("status",)):
        ended = await run_idea(*arguments, door=None, cwd=tmp_path)

        assert (ended.code, ended.out) == (OUTCOMES["LOST"].exit_code, "")
        assert "idea serve" in ended.err
    assert files_below(tmp_path) == []


async def test_a_link_is_printed_alone_and_for_no_project_that_is_not_open(tmp_path: Path) -> None:
    async with serving(tmp_path) as door:
        plain = await run_idea("link", door=door, cwd=tmp_path)
        for_programs = await run_idea("link", "--json", door=door, cwd=tmp_path)
        closed = await run_idea("link", "--project", tmp_path.parent, door=door, cwd=tmp_path)

    assert (closed.code, closed.out) == (OUTCOMES["NOT_FOUND"].exit_code, "")
    assert plain.out == f"http://127.0.0.1:{door.port}/#code=code-1\n"
    assert json.loads(for_programs.out)["url"] == f"http://127.0.0.1:{door.port}/#code=code-2"


async def test_the_status_counts_the_agents_by_state(tmp_path: Path) -> None:
    async with serving(tmp_path) as door:
        plain = await run_idea("status", door=door, cwd=tmp_path)
        for_programs = await run_idea("status", "--json", door=door, cwd=tmp_path)

    assert "IdeA 1.2.3, 1 project open" in plain.out
    assert "2 idle" in plain.out
    assert json.loads(for_programs.out)["projects"][0]["agents"] == {"idle": 2}


# --- opening --------------------------------------------------------------------------------------------------


async def test_a_path_is_opened_in_the_running_server(tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    async with serving(tmp_path) as door:
        ended = await run_idea("other", "--no-browser", "--json", door=door, cwd=tmp_path)

    assert json.loads(ended.out) == {"url": f"http://127.0.0.1:{door.port}/#code=code-1"}
    assert [project.root for project in door.house.projects.list()] == [tmp_path, other]


async def test_the_browser_is_sent_to_a_private_file_and_not_told_the_code(tmp_path: Path) -> None:
    seen = tmp_path / "seen"
    browser = tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\nprintf %s "$1" > {seen}\n')
    browser.chmod(0o755)
    async with serving(tmp_path) as door:
        ended = await run_idea(door=door, cwd=tmp_path, env={"BROWSER": f"{browser} %s"})
        page = Path(seen.read_text().removeprefix("file://"))
        content, mode = read_with_mode(page)

    assert ended.code == 0
    assert "code" not in page.name
    assert f"http://127.0.0.1:{door.port}/#code=code-1" in content
    assert (mode, page.parent) == (0o600, door.control.parent)


@pytest.mark.parametrize(
    "command", [("nowhere",), ("open", "nowhere"), ("serve", "--project", "nowhere"), ("demo", "nowhere")]
)
async def test_a_path_that_is_no_folder_starts_nothing(tmp_path: Path, command: tuple[str, ...]) -> None:
    ended = await run_idea(*command, door=None, cwd=tmp_path)

    assert (ended.code, ended.out) == (OUTCOMES["INVALID"].exit_code, "")
    assert "There is no folder nowhere" in ended.err
    assert files_below(tmp_path) == []


async def test_a_file_is_no_project(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    ended = await run_idea("file", door=None, cwd=tmp_path)

    assert ended.code == OUTCOMES["INVALID"].exit_code
    assert "is a file, not a folder" in ended.err


# --- which server ---------------------------------------------------------------------------------------------


async def test_a_project_names_the_server_that_has_it_open(tmp_path: Path) -> None:
    state = tmp_path / ".ideai" / "state"
    state.mkdir(parents=True)
    async with serving(tmp_path) as door:
        (state / "control").write_text(f"{door.control}\n")
        recorded = await run_idea("status", door=None, cwd=tmp_path)
        # After a crash the record leads nowhere; the user's own server answers.
        (state / "control").write_text(f"{door.control.parent / 'gone.sock'}\n")
        stale = await run_idea("status", door=door, cwd=tmp_path)

    assert (recorded.code, stale.code) == (0, 0)


async def test_a_record_is_believed_only_about_a_private_folder(tmp_path: Path) -> None:
    state = tmp_path / ".ideai" / "state"
    state.mkdir(parents=True)
    record = state / "control"
    async with serving(tmp_path) as door:
        (tmp_path / "record").write_text(str(door.control))
        for plant in ("a link", "a pipe", "nonsense", "an open folder"):
            record.unlink(missing_ok=True)
            match plant:
                case "a link":
                    record.symlink_to(tmp_path / "record")
                case "a pipe":
                    os.mkfifo(record)
                case "nonsense":
                    record.write_bytes(b"relative\x00\xff")
                case _:
                    door.control.parent.chmod(0o755)
                    record.write_text(str(door.control))
            ended = await run_idea("status", door=None, cwd=tmp_path)

            assert ended.code == OUTCOMES["LOST"].exit_code, plant
