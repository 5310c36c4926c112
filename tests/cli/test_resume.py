"""`idea resume`, and what `idea agents` says of agents that ran before."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from idea.application import commands
from idea.domain.delegation import Requester, Source
from idea.domain.errors import Conflict, TrustRequired
from idea.domain.ids import ConversationId, NodeId, SessionId
from idea.domain.layouts import View
from idea.domain.marks import Ran
from idea.domain.outcomes import OUTCOMES
from idea.domain.resumable import Resumable, Resumed
from idea.domain.sessions import Session, SessionKind
from tests.cli.running import run_idea
from tests.fakes.clock import NOON
from tests.http.fakes import MAIN, QA
from tests.http.serving import Serving, serving

pytestmark = pytest.mark.slow

CLI = Requester(Source.CLI)
SESSION = Session(SessionId("s1"), QA.id, SessionKind.PTY, NodeId("n1"), ConversationId("k1"), NOON)
RESUMABLE = (
    Resumable(Ran(MAIN.id, View.CHAT, None, None, NOON), None, "noConversation", "it had no conversation yet"),
    Resumable(Ran(QA.id, View.CHAT, None, ConversationId("k1"), None), ConversationId("k1")),
)
REFUSED = Conflict("Main cannot go on.", why="noConversation")


def _show(door: Serving) -> None:
    project = door.house.project
    project.show(replace(project.state(), resumable=RESUMABLE))


async def test_who_ran_before_is_shown_with_what_keeps_them_from_going_on(tmp_path: Path) -> None:
    async with serving(tmp_path) as door:
        nobody = await run_idea("resume", door=door, cwd=tmp_path)
        _show(door)
        plain = await run_idea("resume", door=door, cwd=tmp_path)
        for_programs = await run_idea("resume", "--json", door=door, cwd=tmp_path)
        agents = await run_idea("agents", door=door, cwd=tmp_path)

    assert "No agent" in nobody.out
    assert plain.out.splitlines()[1:] == [
        "main   Main  no: it had no conversation yet",
        "qa     Qa    yes",
    ]
    assert json.loads(for_programs.out)[1] == {
        "id": "id-qa",
        "slug": "qa",
        "name": "Qa",
        "conversationId": "k1",
        "canResume": True,
        "reason": "",
    }
    assert agents.out.splitlines()[-1].startswith("Main and Qa ran before")
    assert door.house.project.dispatched == []


async def test_each_is_told_and_the_first_failure_is_the_exit_code(tmp_path: Path) -> None:
    async with serving(tmp_path) as door:
        _show(door)
        answers = door.house.project.answers
        answers[commands.ResumeAgents] = (Resumed(MAIN.id, REFUSED), Resumed(QA.id, SESSION))
        plain = await run_idea("resume", "main", "qa", door=door, cwd=tmp_path)
        for_programs = await run_idea("resume", "--all", "--json", door=door, cwd=tmp_path)
        answers[commands.ResumeAgents] = TrustRequired("shop", "h")
        untrusted = await run_idea("resume", "--all", door=door, cwd=tmp_path)
        both = await run_idea("resume", "--all", "qa", door=door, cwd=tmp_path)

    code = OUTCOMES["CONFLICT"].exit_code
    assert (plain.code, plain.out) == (code, f"Qa goes on in {tmp_path}.\n")
    assert "Main cannot go on" in plain.err
    assert (for_programs.code, json.loads(for_programs.out)) == (
        code,
        [
            {"id": "id-main", "outcome": "Conflict", "message": "Main cannot go on.", "why": "noConversation"},
            {"id": "id-qa", "outcome": "resumed"},
        ],
    )
    assert untrusted.code == OUTCOMES["TRUST_REQUIRED"].exit_code
    assert both.code == 2
    assert [command for _, command in door.house.project.dispatched[:2]] == [
        commands.ResumeAgents(("main", "qa")),
        commands.ResumeAgents(None),
    ]
