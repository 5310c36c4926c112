"""The real Claude Code, driven through its engine against a scripted model."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from idea.domain.ids import ConversationId
from idea.domain.replies import (
    Announcement,
    ConversationIdentified,
    Decision,
    EngineReady,
    Failed,
    FailureKind,
    Final,
    Heartbeat,
    PermissionRequested,
    RateLimited,
    ResumeRefused,
    SpontaneousTurn,
    TextDelta,
    UsageReported,
)
from tests.engines.driving import Desk, Session, assert_only_the_conclusion_answers, claude_desk, only
from tests.model_server.server import ModelServer

pytestmark = pytest.mark.engines

CONVERSATION = ConversationId("0b5d2c1e-6f0a-4a53-9d1c-0d9a5a3f7c11")
Opened = Callable[..., AsyncIterator[Session]]


@pytest.fixture
def desk(claude_cli: Path, tmp_path: Path, model_server: ModelServer) -> Desk:
    return claude_desk(claude_cli, tmp_path, model_server.url)


@asynccontextmanager
async def session(
    desk: Desk, *, conversation: ConversationId = CONVERSATION, resumes: bool = False
) -> AsyncIterator[Session]:
    opened = Session(desk, conversation=conversation, resumes=resumes)
    try:
        await opened.open()
        yield opened
    finally:
        await opened.end()


async def test_a_prompt_is_answered_under_the_id_that_we_chose(desk: Desk) -> None:
    async with session(desk) as claude:
        assert only(await claude.until(EngineReady), EngineReady)

        said = await claude.turn("[[say good morning]]")

    assert only(said, ConversationIdentified) == [ConversationIdentified(CONVERSATION)]
    assert "".join(event.text for event in said if isinstance(event, TextDelta)) == "good morning"
    assert only(said, Announcement) == []
    assert said[-1] == Final("good morning")
    assert next(event for event in said if isinstance(event, UsageReported)).input_tokens == 100


async def test_the_answer_is_the_conclusion_and_not_what_was_said_before_the_tools(desk: Desk) -> None:
    async with session(desk) as claude:
        said = await claude.turn("[[twice]]")

    assert_only_the_conclusion_answers(said)


async def test_only_the_tools_that_idea_wants_are_offered(desk: Desk, model_server: ModelServer) -> None:
    async with session(desk) as claude:
        await claude.turn("[[say hello]]")

    offered = {tool["name"] for tool in model_server.requests[-1]["tools"]}
    assert {"mcp__idea__idea_ask_agent", "mcp__idea__idea_list_agents", "Bash"} <= offered
    assert not {"ListAgents", "SendMessage", "AskUserQuestion"} & offered


@pytest.mark.parametrize(
    ("decision", "is_made"), [(Decision.ALLOW_ONCE, True), (Decision.ALLOW_SESSION, True), (Decision.DENY, False)]
)
async def test_a_command_waits_for_the_persons_decision(desk: Desk, decision: Decision, *, is_made: bool) -> None:
    async with session(desk) as claude:
        await claude.prompt("[[run touch made]]")
        question = (await claude.until(PermissionRequested))[-1]
        assert isinstance(question, PermissionRequested)
        await claude.decide(question.request_id, decision)
        said = await claude.until(Final, Failed)
        # Allowed for the session: the same command is not asked about again.
        await claude.prompt("[[run touch made]]")
        again = await claude.until(PermissionRequested, Final, Failed)

    assert (question.title, question.detail) == ("Run a command", "touch made")
    assert decision in question.choices
    assert isinstance(said[-1], Final)
    assert (desk.root / "made").exists() is is_made
    assert bool(only(again, Final)) is (decision is Decision.ALLOW_SESSION)


async def test_a_new_file_is_shown_as_a_diff_before_it_is_written(desk: Desk) -> None:
    path = desk.root / "notes.txt"

    async with session(desk) as claude:
        await claude.prompt(f"[[write {path}]]")
        question = (await claude.until(PermissionRequested))[-1]
        assert isinstance(question, PermissionRequested)
        assert not path.exists()
        await claude.decide(question.request_id, Decision.ALLOW_ONCE)
        await claude.until(Final)

    assert question.title == f"Write {path}"
    assert question.detail == f"--- /dev/null\n+++ {path}\n@@\n+first\n+second"
    assert path.read_text(encoding="utf-8") == "first\nsecond\n"


async def test_a_file_written_with_leave_for_the_session_lets_no_other_file_and_no_command_pass(desk: Desk) -> None:
    (desk.root / "kept").write_text("kept", encoding="utf-8")

    async with session(desk) as claude:
        await claude.prompt(f"[[write {desk.root / 'one.txt'}]]")
        question = (await claude.until(PermissionRequested))[-1]
        assert isinstance(question, PermissionRequested)
        await claude.decide(question.request_id, Decision.ALLOW_SESSION)
        await claude.until(Final)
        await claude.prompt(f"[[write {desk.root / 'one.txt'}]]")
        again = await claude.until(PermissionRequested, Final, Failed)
        for what in (f"write {desk.root / 'two.txt'}", "run rm -rf kept"):
            await claude.prompt(f"[[{what}]]")
            asked = (await claude.until(PermissionRequested, Final, Failed))[-1]
            assert isinstance(asked, PermissionRequested)
            await claude.decide(asked.request_id, Decision.DENY)
            await claude.until(Final, Failed)

    assert isinstance(again[-1], Final)
    assert (desk.root / "kept").exists()
    assert not (desk.root / "two.txt").exists()


async def test_an_interrupted_turn_says_so_and_the_session_goes_on(desk: Desk) -> None:
    async with session(desk) as claude:
        await claude.prompt("[[slow]]")
        await claude.until(TextDelta)
        await claude.interrupt()
        stopped = await claude.until(Final, Failed)
        after = await claude.turn("[[say still here]]")

    assert isinstance(stopped[-1], Failed)
    assert stopped[-1].kind is FailureKind.INTERRUPTED
    assert only(stopped, Announcement) == []
    assert after[-1] == Final("still here")


async def test_a_resumed_conversation_remembers_and_takes_new_instructions(
    desk: Desk, model_server: ModelServer
) -> None:
    desk.context = "Your motto is OLD."
    async with session(desk) as claude:
        await claude.turn("[[say first answer]]")

    desk.context = "Your motto is NEW."
    async with session(desk, resumes=True) as claude:
        said = await claude.turn("[[say second answer]]")

    assert said[-1] == Final("second answer")
    asked = str(model_server.requests[-1]["messages"])
    assert "first answer" in asked
    system = str(model_server.requests[-1]["system"])
    assert "motto is NEW" in system
    assert "motto is OLD" not in system


async def test_a_conversation_that_claude_does_not_know_is_refused(desk: Desk) -> None:
    async with session(desk, resumes=True) as claude:
        said = await claude.until(ResumeRefused)
        said += await claude.finish()

    refused = only(said, ResumeRefused)
    assert [event.conversation for event in refused if isinstance(event, ResumeRefused)] == [CONVERSATION]
    assert only(said, EngineReady, Final, Failed) == []


async def test_a_rejected_key_is_told_while_claude_still_retries(desk: Desk) -> None:
    async with session(desk) as claude:
        await claude.prompt("[[key]]")
        seen = await claude.until(Heartbeat)
        while not any(isinstance(event, Heartbeat) and "401" in event.note for event in seen):
            seen = await claude.until(Heartbeat)
        await claude.interrupt()
        stopped = await claude.until(Final, Failed)

    assert isinstance(stopped[-1], Failed)


async def test_a_used_up_plan_is_a_limit_with_its_end(
    claude_cli: Path, tmp_path: Path, model_server: ModelServer
) -> None:
    desk = claude_desk(claude_cli, tmp_path, model_server.url, is_subscriber=True)

    async with session(desk) as claude:
        said = await claude.turn("[[limit]]")
        after = await claude.turn("[[say back again]]")

    limits = [event.until for event in said if isinstance(event, RateLimited)]
    assert len(limits) == 1
    assert limits[0] is not None
    assert isinstance(said[-1], Failed)
    assert said[-1].kind is FailureKind.LIMITED
    assert after[-1] == Final("back again")


async def test_too_many_requests_with_a_key_fail_without_being_a_limit(desk: Desk) -> None:
    async with session(desk) as claude:
        said = await claude.turn("[[throttle]]")

    assert only(said, RateLimited) == []
    assert isinstance(said[-1], Failed)
    assert said[-1].kind is FailureKind.ENGINE


async def test_a_subagent_works_within_the_turn_and_its_words_are_not_ours(desk: Desk) -> None:
    async with session(desk) as claude:
        said = await claude.turn("[[delegate]]")
        rest = await claude.finish()

    assert only(said, Announcement) == [Announcement("I send a subagent.")]
    assert said[-1] == Final("The subagent is back.")
    assert only(rest, SpontaneousTurn, Final, Failed) == []


async def test_a_stream_that_breaks_is_made_good_by_claude(desk: Desk) -> None:
    async with session(desk) as claude:
        said = await claude.turn("[[die]]")

    assert said[-1] == Final("The connection breaks before this is said.")
    assert only(said, Announcement) == []


async def test_a_killed_claude_ends_its_turn(desk: Desk) -> None:
    async with session(desk) as claude:
        await claude.prompt("[[slow]]")
        await claude.until(TextDelta)
        said = await claude.kill()

    failed = only(said, Final, Failed)
    assert len(failed) == 1
    assert isinstance(failed[0], Failed)
    assert failed[0].kind is FailureKind.DIED
