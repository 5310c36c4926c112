"""The promises of the storage ports, kept by the real adapters and by the fakes that other tests rely on."""

from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from idea.adapters.ids import UuidV7
from idea.adapters.storage.agents import AgentFiles
from idea.adapters.storage.database import Database
from idea.adapters.storage.layouts import LayoutFile
from idea.adapters.storage.records import SqliteRecords
from idea.adapters.storage.settings import SettingsFile
from idea.adapters.storage.shared_layouts import SharedLayoutFiles
from idea.adapters.storage.trust import ProjectTrust
from idea.adapters.storage.write_journal import WriteJournal
from idea.application.ports import AgentStore, LayoutStore, Records, SettingsStore, SharedLayoutStore, Trust
from idea.domain.agents import AgentDraft
from idea.domain.conversation import Item, ItemKind
from idea.domain.delegation import Delegation, Requester, Source
from idea.domain.errors import Conflict, Invalid
from idea.domain.ids import AgentId, AgentSlug, ConversationId, DelegationId, NodeId, ProjectId, TurnId
from idea.domain.layouts import Cell, Layout, Layouts, Mark, View
from idea.domain.replies import ToolActivity, ToolPhase
from idea.domain.sessions import SessionRole
from idea.domain.settings import Settings
from idea.domain.shared_layouts import SharedCell, SharedLayout
from tests.fakes.agents import FakeAgentStore
from tests.fakes.files import FakeLayoutStore, FakeSettingsStore, FakeSharedLayoutStore, FakeTrust
from tests.fakes.records import FakeRecords

NOON = datetime(2026, 11, 30, 12, 0, 0, 123456, tzinfo=UTC)
ADA, BOB = AgentId("ada"), AgentId("bob")

BOTH = pytest.mark.parametrize("kind", ["real", "fake"])


@pytest.fixture
def ideai(tmp_path: Path) -> Path:
    for name in ("agents", "state"):
        (tmp_path / ".ideai" / name).mkdir(parents=True)
    return tmp_path / ".ideai"


# --- records --------------------------------------------------------------------------------------------------


@pytest.fixture
async def records(kind: str, ideai: Path) -> AsyncIterator[Records]:
    if kind == "fake":
        yield FakeRecords()
        return
    database = Database(ideai / "state")
    await database.open()
    yield SqliteRecords(database)
    await database.aclose()


def _item(seq: int, agent: AgentId = ADA) -> Item:
    tool = ToolActivity("c", "Bash", "ls", ToolPhase.FAILED, "é\n")
    return Item(
        seq=seq,
        agent=agent,
        turn=TurnId("t"),
        kind=ItemKind.TOOL,
        text=f"item {seq}",
        at=NOON + timedelta(seconds=seq),
        author=BOB,
        delegation=DelegationId("d"),
        tool=tool,
    )


@BOTH
async def test_items_come_back_as_they_were_the_newest_and_those_below(records: Records) -> None:
    for seq in range(1, 6):
        await records.append(_item(seq))
        await records.append(_item(seq, BOB))

    assert list(await records.list_items(ADA, before_seq=None, limit=2)) == [_item(4), _item(5)]
    assert list(await records.list_items(ADA, before_seq=4, limit=2)) == [_item(2), _item(3)]
    assert list(await records.list_items(ADA, before_seq=1, limit=2)) == []
    assert (await records.last_seq(ADA), await records.last_seq(AgentId("nobody"))) == (5, 0)


@BOTH
async def test_a_delegation_is_kept_as_it_was_saved_last(records: Records) -> None:
    asked = [
        Delegation(
            id=DelegationId(f"d{number}"),
            number=number,
            requester=Requester(Source.MCP, BOB, TurnId("t0")),
            requester_name="Bob",
            target=ADA,
            target_name="Ada",
            message="Why?",
            depth=2,
            asked_at=NOON,
        )
        for number in range(1, 4)
    ]
    for one in asked:
        await records.save_delegation(one)
    failed = asked[2].start(TurnId("t1"), at=NOON).fail("TIMEOUT", "too late", at=NOON)
    await records.save_delegation(failed)

    assert list(await records.list_delegations(limit=2)) == [asked[1], failed]
    assert list(await records.list_open_delegations()) == asked[:2]


@BOTH
async def test_a_conversation_is_remembered_replaced_and_forgotten(records: Records) -> None:
    seen = [await records.find_conversation(ADA)]
    for conversation in (ConversationId("c1"), ConversationId("c2"), None):
        await records.save_conversation(ADA, conversation)
        seen.append(await records.find_conversation(ADA))

    assert seen == [None, "c1", "c2", None]


@BOTH
async def test_the_conversation_beside_a_terminal_is_another_one(records: Records) -> None:
    await records.save_conversation(ADA, ConversationId("c1"))
    await records.save_conversation(ADA, ConversationId("c2"), role=SessionRole.SIDE)

    assert await records.find_conversation(ADA) == "c1"
    assert await records.find_conversation(ADA, role=SessionRole.SIDE) == "c2"
    await records.save_conversation(ADA, None, role=SessionRole.SIDE)
    assert await records.find_conversation(ADA) == "c1"
    assert await records.find_conversation(ADA, role=SessionRole.SIDE) is None


# --- agents ---------------------------------------------------------------------------------------------------


@pytest.fixture
def agents(kind: str, ideai: Path) -> AgentStore:
    return FakeAgentStore() if kind == "fake" else AgentFiles(ideai, new_id=UuidV7(), journal=WriteJournal())


@BOTH
async def test_an_agent_is_not_saved_over_a_version_that_nobody_looked_at(agents: AgentStore) -> None:
    read = await agents.create(AgentDraft(name="Main", profile="demo", slug=AgentSlug("main")))
    changed = replace(read, instructions="Lead.")
    await agents.save(changed, base=read.version)

    with pytest.raises(Conflict):
        await agents.save(replace(read, name="Boss"), base=read.version)

    assert (await agents.list())[0] == [changed]
    await agents.save(replace(changed, name="Boss"), base=changed.version)
    assert [one.name for one in (await agents.list())[0]] == ["Boss"]


@BOTH
async def test_agents_are_created_changed_and_removed_by_slug(agents: AgentStore) -> None:
    qa = await agents.create(AgentDraft(name="Qa", profile="demo"))
    main = await agents.create(AgentDraft(name="Main", profile="demo", slug=AgentSlug("main")))
    with pytest.raises(Conflict):
        await agents.create(AgentDraft(name="Qa", profile="demo"))
    await agents.save(replace(qa, model="opus", instructions="Test."))
    await agents.delete(main.slug)
    await agents.delete(main.slug)

    found, broken = await agents.list()

    assert (list(found), list(broken)) == ([replace(qa, model="opus", instructions="Test.")], [])


# --- settings and layout --------------------------------------------------------------------------------------


@pytest.fixture
def settings(kind: str, ideai: Path) -> SettingsStore:
    return FakeSettingsStore() if kind == "fake" else SettingsFile(ideai)


@pytest.fixture
def layouts(kind: str, ideai: Path) -> LayoutStore:
    return FakeLayoutStore() if kind == "fake" else LayoutFile(ideai / "state")


@BOTH
async def test_settings_begin_with_the_defaults_and_come_back(settings: SettingsStore) -> None:
    assert await settings.load() == (Settings(), ())

    await settings.save(Settings(queue_wait_s=1, locale="fr"))

    assert await settings.load() == (Settings(queue_wait_s=1, locale="fr"), ())


@BOTH
async def test_a_layout_begins_empty_and_comes_back(layouts: LayoutStore) -> None:
    cells = (Cell(NodeId("n"), ADA, View.CHAT, Mark(was_running=True)), Cell(NodeId("m"), None, View.TERMINAL))
    saved = Layouts("b", (Layout("a", '{"a": 1}', cells), Layout("b")))
    assert await layouts.load() == (Layouts(), None)

    await layouts.save(saved)

    assert await layouts.load() == (saved, None)


@pytest.fixture
def shared_layouts(kind: str, ideai: Path) -> SharedLayoutStore:
    return FakeSharedLayoutStore() if kind == "fake" else SharedLayoutFiles(ideai)


@BOTH
async def test_shared_layouts_come_and_go_by_name(shared_layouts: SharedLayoutStore) -> None:
    cells = (SharedCell(NodeId("n"), ADA, AgentSlug("ada"), View.CHAT), SharedCell(NodeId("m"), None, None, View.CHAT))
    layout = SharedLayout("revue de code", '{"a": 1}', cells)
    assert [*map(list, await shared_layouts.list())] == [[], []]

    await shared_layouts.save(layout)
    await shared_layouts.save(SharedLayout("a", "", ()))

    assert [*map(list, await shared_layouts.list())] == [[SharedLayout("a", "", ()), layout], []]
    with pytest.raises(Invalid):
        await shared_layouts.save(SharedLayout("../a", "", ()))
    with pytest.raises(Invalid):
        await shared_layouts.delete("../a")
    await shared_layouts.delete("a")
    await shared_layouts.delete("a")
    assert [*map(list, await shared_layouts.list())] == [[layout], []]


# --- trust and locks ------------------------------------------------------------------------------------------


@pytest.fixture
def trust(kind: str, ideai: Path, tmp_path: Path) -> Trust:
    if kind == "fake":
        fake = FakeTrust()
        fake.verdict = replace(fake.verdict, is_trusted=False)
        return fake
    (ideai.parent / ".mcp.json").write_text('{"mcpServers": {"x": {"command": "x"}}}')
    return ProjectTrust(ideai.parent, ProjectId("p"), state_home=tmp_path / "home", journal=WriteJournal())


@BOTH
async def test_an_approval_must_name_the_present_content(trust: Trust) -> None:
    asked = await trust.look()
    with pytest.raises(Conflict):
        await trust.approve("another")
    approved = await trust.approve(asked.subject_hash)

    assert [asked.is_trusted, approved.is_trusted, (await trust.look()).is_trusted] == [False, True, True]


@BOTH
async def test_what_was_read_is_judged_and_not_what_lies_there_by_now(trust: Trust, ideai: Path) -> None:
    sources = {ideai / "profiles" / "gone.toml": "0" * 64}

    asked = await trust.judge(sources)
    await trust.approve(asked.subject_hash)
    with pytest.raises(Conflict):
        await trust.judge(sources)

    assert not asked.is_trusted
    assert (await trust.judge({})).is_trusted
