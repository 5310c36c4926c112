"""The real Codex, driven through its engine against a scripted model."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from idea.domain.agents import PermissionMode
from idea.domain.ids import ConversationId
from idea.domain.replies import (
    Announcement,
    ConversationIdentified,
    Failed,
    FailureKind,
    Final,
    Heartbeat,
    RateLimited,
    ResumeRefused,
    UsageReported,
)
from tests.engines.driving import Desk, Session, assert_only_the_conclusion_answers, codex_desk, only
from tests.model_server.server import ModelServer
from tests.patience import PATIENCE_S

pytestmark = pytest.mark.engines


@pytest.fixture
def desk(codex_cli: Path, tmp_path: Path, model_server: ModelServer) -> Desk:
    return codex_desk(codex_cli, tmp_path, model_server.url)


@asynccontextmanager
async def session(
    desk: Desk, *, conversation: ConversationId | None = None, resumes: bool = False
) -> AsyncIterator[Session]:
    opened = Session(desk, conversation=conversation, resumes=resumes)
    try:
        yield opened
    finally:
        await opened.end()


async def test_a_prompt_is_answered_and_the_conversation_named(desk: Desk) -> None:
    async with session(desk) as codex:
        said = await codex.turn("[[say good morning]]")

    assert len(only(said, ConversationIdentified)) == 1
    assert only(said, Announcement) == []
    assert only(said, Final, Failed) == [Final("good morning")]
    assert only(said, UsageReported) == [UsageReported(100, 20)]


async def test_the_answer_is_the_conclusion_and_not_what_was_said_before_the_tools(desk: Desk) -> None:
    async with session(desk) as codex:
        said = await codex.turn("[[twice]]")

    assert_only_the_conclusion_answers(said)


async def test_a_resumed_conversation_remembers_and_counts_its_own_turn(desk: Desk, model_server: ModelServer) -> None:
    async with session(desk) as codex:
        first = await codex.turn("[[say first answer]]")
        [named] = only(first, ConversationIdentified)
        assert isinstance(named, ConversationIdentified)
        codex.resume(named.conversation)
        second = await codex.turn("[[say second answer]]")

    assert only(second, Final) == [Final("second answer")]
    assert only(second, UsageReported) == [UsageReported(100, 20)]
    assert "first answer" in str(model_server.requests[-1]["input"])


async def test_the_instructions_reach_the_model(desk: Desk, model_server: ModelServer) -> None:
    desk.context = '# "Quotes" and\n[brackets] = true'

    async with session(desk) as codex:
        await codex.turn("[[say hello]]")

    texts = [part["text"] for item in model_server.requests[-1]["input"] for part in item["content"]]
    assert any(text == f"Your part in this team:\n\n{desk.context}" for text in texts)


@pytest.mark.parametrize(("mode", "is_made"), [(PermissionMode.ASK, False), (PermissionMode.FULL, True)])
async def test_the_permission_mode_decides_what_a_command_may_do(
    desk: Desk, mode: PermissionMode, *, is_made: bool
) -> None:
    desk.mode = mode

    async with session(desk) as codex:
        said = await codex.turn("[[exec touch made]]")

    assert (desk.root / "made").exists() is is_made
    assert len(only(said, Final)) == 1


async def test_an_interrupted_turn_says_so_and_the_conversation_goes_on(desk: Desk, model_server: ModelServer) -> None:
    async with session(desk) as codex:
        await codex.prompt("[[slow]] until Codex is interrupted")
        [named] = only(await codex.until(ConversationIdentified), ConversationIdentified)
        assert isinstance(named, ConversationIdentified)
        # Before its turn has started, Codex does not heed the signal.
        await asyncio.to_thread(model_server.wait_for, "until Codex is interrupted", timeout_s=PATIENCE_S)
        await codex.interrupt()
        stopped = await codex.finish()
        codex.resume(named.conversation)
        after = await codex.turn("[[say still here]]")

    [failed] = only(stopped, Final, Failed)
    assert isinstance(failed, Failed)
    assert failed.kind is FailureKind.INTERRUPTED
    assert only(after, Final, Failed) == [Final("still here")]


async def test_a_conversation_that_codex_does_not_know_is_refused(desk: Desk) -> None:
    unknown = ConversationId("00000000-0000-4000-8000-000000000000")

    async with session(desk, conversation=unknown, resumes=True) as codex:
        said = await codex.turn("[[say hello]]")

    assert [type(event) for event in only(said, ResumeRefused, Final, Failed)] == [ResumeRefused, Failed]


@pytest.mark.parametrize(
    ("scenario", "kind", "limits"),
    [
        ("key", FailureKind.ENGINE, 0),
        ("throttle", FailureKind.ENGINE, 0),
        ("limit", FailureKind.LIMITED, 1),
    ],
)
async def test_a_refusal_ends_the_turn_once(desk: Desk, scenario: str, kind: FailureKind, limits: int) -> None:
    async with session(desk) as codex:
        said = await codex.turn(f"[[{scenario}]]")

    [failed] = only(said, Final, Failed)
    assert isinstance(failed, Failed)
    assert failed.kind is kind
    assert only(said, RateLimited) == [RateLimited(None)] * limits


async def test_a_stream_that_breaks_is_made_good_by_codex(desk: Desk) -> None:
    async with session(desk) as codex:
        said = await codex.turn("[[die]]")

    assert any("Reconnecting" in event.note for event in said if isinstance(event, Heartbeat))
    assert only(said, Final, Failed) == [Final("The connection breaks before this is said.")]
