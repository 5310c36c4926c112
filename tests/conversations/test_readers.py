"""What CLIs keep of their conversations, read from files as the real ones write them, and from hostile ones."""

import json
import os
from collections.abc import Sequence
from pathlib import Path

import pytest

from idea.adapters.conversations.catalog import ConversationCatalog
from idea.adapters.conversations.heads import HEAD_BYTES
from idea.application.ports import ProjectPaths
from idea.domain.agents import Agent
from idea.domain.earlier import EarlierConversation
from idea.domain.errors import Invalid
from idea.domain.ids import ConversationId, ProjectId
from idea.domain.profiles import Profile
from tests.fakes.agents import make_agent

FIRST = "76d841c9-f6eb-4f97-bfc5-ec090d7e8575"
SECOND = "01a22e4c-8b74-7592-b001-cb86bd0930f3"
QA: Agent = make_agent("qa")


class Shelf:
    """A home with a project in it, whose folder's name has characters that Claude replaces."""

    def __init__(self, root: Path) -> None:
        self.home = root / "home"
        self.project = root / "my.proj_x"
        self.project.mkdir()
        self.run = self.project / ".ideai" / "run"
        self.env = {"HOME": str(self.home)}
        paths = ProjectPaths(ProjectId("p"), self.project, self.run.parent, self.run, root / "state", root / "sock")
        self.catalog = ConversationCatalog(paths, environment=lambda _: self.env)

    async def list(self, kind: str) -> Sequence[EarlierConversation]:
        return await self.catalog.list(QA, Profile("p", "P", "p", conversations=kind))

    def claude(self, *lines: object, name: str = FIRST, at: float = 1_000, base: Path | None = None) -> Path:
        folder = "".join(letter if letter.isalnum() else "-" for letter in os.path.realpath(self.project))
        path = (base or self.home / ".claude") / "projects" / folder / f"{name}.jsonl"
        return self._write(path, lines, at)

    def codex(self, *lines: object, name: str = FIRST, at: float = 1_000, base: Path | None = None) -> Path:
        path = (base or self.home / ".codex") / "sessions/2026/11/30" / f"rollout-2026-11-30T21-11-38-{name}.jsonl"
        return self._write(path, lines, at)

    def _write(self, path: Path, lines: Sequence[object], at: float) -> Path:
        path.parent.mkdir(parents=True, exist_ok=True)
        texts = [line if isinstance(line, str) else json.dumps(line) for line in lines]
        path.write_text("".join(f"{text}\n" for text in texts), encoding="utf-8")
        os.utime(path, (at, at))
        return path

    def user(self, text: object, **more: object) -> dict[str, object]:
        stamp = {"timestamp": "2026-11-30T21:11:37.326Z", "cwd": os.path.realpath(self.project)}
        return {"type": "user", "message": {"role": "user", "content": text}, **stamp, **more}

    def meta(self, folder: Path | None = None) -> dict[str, object]:
        about = {"id": FIRST, "timestamp": "2026-11-30T21:11:38.103Z", "cwd": str(folder or self.project)}
        return {"type": "session_meta", "payload": about}

    def said(self, text: str) -> dict[str, object]:
        item = {"type": "UserMessage", "content": [{"type": "text", "text": text}]}
        return {"type": "event_msg", "payload": {"type": "item_completed", "item": item}}


@pytest.fixture
def shelf(tmp_path: Path) -> Shelf:
    return Shelf(tmp_path)


async def test_claudes_sessions_of_this_folder_are_listed_the_newest_first(shelf: Shelf) -> None:
    queue = {"type": "queue-operation", "operation": "enqueue", "content": "x"}
    shelf.claude(queue, shelf.user("Look at\nthe invoice page"), at=1_000)
    shelf.claude(shelf.user([{"type": "text", "text": "Run the tests"}]), name=SECOND, at=2_000)

    newer, older = await shelf.list("claude")

    assert (newer.id, newer.first_words) == (SECOND, "Run the tests")
    assert (older.id, older.first_words) == (FIRST, "Look at the invoice page")
    assert older.last_at.timestamp() == 1_000
    assert older.began_at.isoformat() == "2026-11-30T21:11:37.326000+00:00"


async def test_what_nobody_said_is_not_the_first_word(shelf: Shelf) -> None:
    command = shelf.user("<command-name>/clear</command-name>")
    shelf.claude(shelf.user("caveat", isMeta=True), shelf.user("sub", isSidechain=True), command, shelf.user("Hello"))
    shelf.claude({"type": "summary"}, name=SECOND)

    assert [one.first_words for one in await shelf.list("claude")] == ["Hello"]


async def test_a_folder_whose_name_is_written_the_same_way_is_another(shelf: Shelf) -> None:
    shelf.claude({**shelf.user("theirs"), "cwd": "/somewhere/my-proj-x"})

    assert await shelf.list("claude") == []


async def test_codexs_threads_of_this_folder_are_listed(shelf: Shelf) -> None:
    context = {"type": "response_item", "payload": {"role": "user", "content": [{"text": "<environment_context>"}]}}
    shelf.codex(shelf.meta(), context, shelf.said("Look at the invoice page"))
    shelf.codex(shelf.meta(shelf.home), shelf.said("elsewhere"), name=SECOND)

    (found,) = await shelf.list("codex")

    assert (found.id, found.first_words) == (FIRST, "Look at the invoice page")
    assert found.began_at.isoformat() == "2026-11-30T21:11:38.103000+00:00"


async def test_the_users_own_places_are_respected(shelf: Shelf, tmp_path: Path) -> None:
    shelf.env |= {"CLAUDE_CONFIG_DIR": str(tmp_path / "c"), "CODEX_HOME": str(tmp_path / "x")}
    shelf.claude(shelf.user("at home"))
    shelf.claude(shelf.user("mine"), base=tmp_path / "c", name=SECOND)
    shelf.codex(shelf.meta(), shelf.said("mine"), base=tmp_path / "x", name=SECOND)

    assert [one.id for one in await shelf.list("claude")] == [SECOND]
    assert [one.id for one in await shelf.list("codex")] == [SECOND]


@pytest.mark.parametrize(
    "content",
    ["", "no JSON", "[" * 100_000, '{"type": "user"}', "\0" * 10, '{"type": "user", "message": {"content": 7}}'],
)
async def test_files_that_are_something_else_are_left_out(shelf: Shelf, content: str) -> None:
    shelf.claude(content)
    shelf.codex(content)

    assert await shelf.list("claude") == await shelf.list("codex") == []


async def test_links_and_pipes_are_not_read(shelf: Shelf, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.write_text(json.dumps(shelf.user("outside")) + "\n", encoding="utf-8")
    path = shelf.claude(shelf.user("mine"))
    (path.parent / f"{SECOND}.jsonl").symlink_to(outside)
    os.mkfifo(path.parent / f"{SECOND[:-1]}4.jsonl")

    assert [one.id for one in await shelf.list("claude")] == [FIRST]


async def test_a_big_file_is_not_read_whole(shelf: Shelf) -> None:
    path = shelf.claude(shelf.user("begin"), "x" * (4 * HEAD_BYTES))
    late = shelf.claude("x" * HEAD_BYTES, shelf.user("too late"), name=SECOND)

    (found,) = await shelf.list("claude")

    assert (found.id, found.size_bytes) == (FIRST, path.stat().st_size)
    assert late.exists()


async def test_first_words_are_one_line_that_steers_nothing(shelf: Shelf) -> None:
    shelf.claude(shelf.user("a\x1b]0;title\x07\u202eb" + "c" * 5_000))

    (found,) = await shelf.list("claude")

    assert found.first_words.startswith("a ]0;title b")
    assert len(found.first_words) == 200


async def test_one_is_found_by_its_id(shelf: Shelf) -> None:
    shelf.claude(shelf.user("hello"))
    profile = Profile("p", "P", "p", conversations="claude")

    found = await shelf.catalog.find(QA, profile, ConversationId(FIRST))
    missing = await shelf.catalog.find(QA, profile, ConversationId("../../../etc/passwd"))

    assert found is not None
    assert missing is None


async def test_a_profile_without_a_reader_says_so(shelf: Shelf) -> None:
    with pytest.raises(Invalid) as refused:
        await shelf.list("")

    assert refused.value.why == "conversationsUnknown"
