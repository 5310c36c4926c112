import os
from dataclasses import replace
from pathlib import Path

import pytest

from idea.adapters.ids import UuidV7
from idea.adapters.storage.agent_file import MAX_AGENT_BYTES
from idea.adapters.storage.agents import AgentFiles
from idea.adapters.storage.write_journal import WriteJournal
from idea.domain.agents import AgentDraft, PermissionMode
from idea.domain.errors import Conflict, IdeaError, Invalid, NotFound
from idea.domain.ids import AgentSlug

ID = "01890a5d-ac96-774b-bcce-b302099a8057"
OTHER_ID = "01890a5d-ac96-774b-bcce-b302099a8058"

BY_HAND = f"""---
# Who answers for quality
id: {ID}
name: "QA"      # short on purpose
colour: teal
profile: claude
capabilities:
    - browser
---

You test.
"""


def _put(root: Path, name: str, content: str | bytes) -> Path:
    path = root / ".ideai" / "agents" / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


async def test_a_created_agent_is_found_again_as_it_was(agent_files: AgentFiles) -> None:
    agent = await agent_files.create(
        AgentDraft(
            name="Back-end: Zoë",
            profile="codex",
            model="gpt-6.2",
            permissions=PermissionMode.FULL,
            capabilities=("db", "yes"),
            allow_structured_alongside_pty=False,
            workspace="trees/backend",
            instructions="Du schreibst:\n\n---\n\n- Code ✓\n",
        )
    )

    agents, broken = await agent_files.list()

    assert agent.slug == "back-end-zoe"
    assert (list(agents), list(broken)) == ([agent], [])


async def test_another_store_reads_what_one_wrote(root: Path, agent_files: AgentFiles) -> None:
    agent = await agent_files.create(AgentDraft(name="null", profile="demo", instructions="x"))
    content = (root / ".ideai/agents/null.md").read_bytes()
    (root / ".ideai/agents/null.md").unlink()
    assert (await agent_files.list())[0] == []

    _put(root, "null.md", content)

    assert (await agent_files.list())[0] == [agent]


async def test_saving_keeps_comments_order_quotes_and_unknown_keys(root: Path, agent_files: AgentFiles) -> None:
    path = _put(root, "qa.md", BY_HAND)
    ((agent,), _) = await agent_files.list()

    await agent_files.save(replace(agent, model="opus", instructions="You test more."))

    assert path.read_text() == BY_HAND.replace("    - browser\n", "    - browser\nmodel: opus\n").replace(
        "You test.", "You test more."
    )


async def test_saving_an_unchanged_agent_changes_no_byte(root: Path, agent_files: AgentFiles) -> None:
    windows = BY_HAND.replace("\n", "\r\n")
    path = _put(root, "qa.md", windows)
    ((agent,), _) = await agent_files.list()

    await agent_files.save(agent)

    assert path.read_bytes() == windows.encode()


async def test_a_file_without_an_id_gets_one_that_stays(root: Path, agent_files: AgentFiles) -> None:
    path = _put(root, "main.md", "---\n# first\nname: Main\nprofile: demo\n---\nLead.\n")

    ((agent,), _) = await agent_files.list()
    ((again,), _) = await agent_files.list()

    assert again == agent
    assert path.read_text() == f"---\n# first\nid: {agent.id}\nname: Main\nprofile: demo\n---\nLead.\n"


async def test_files_without_an_id_count_as_made_in_the_order_they_were_written_in(
    root: Path, agent_files: AgentFiles
) -> None:
    for minute, name in enumerate(("Main", "QA", "Architect")):
        path = _put(root, f"{name.lower()}.md", f"---\nname: {name}\nprofile: demo\n---\n")
        os.utime(path, (minute * 60, minute * 60))

    agents, _ = await agent_files.list()

    assert [agent.name for agent in sorted(agents, key=lambda agent: agent.id)] == ["Main", "QA", "Architect"]


@pytest.mark.parametrize(
    ("content", "line"),
    [
        ("no front matter", 1),
        ("---\nname: Main\n", 1),
        ("---\nname: Main\nprofile: [demo\n---\n", 4),
        ("---\nname: Main\nname: Twice\nprofile: demo\n---\n", 3),
        ("---\nname: Main\nprofile: demo\npermissions: everything\n---\n", 4),
        ("---\nname: Main\nprofile: 3\n---\n", 3),
        ("---\nname: Main\nprofile: demo\nmodel: --dangerous\n---\n", 4),
        ("---\nname: Main\nprofile: demo\nworkspace: ../../etc\n---\n", 4),
        ("---\nname: Main\nprofile: demo\nid: ../../x\n---\n", 4),
        ("---\nname: Main\n---\n", 1),
        ("---\nname: ''\nprofile: demo\n---\n", 2),
        ('---\nname: "a\\u202eb"\nprofile: demo\n---\n', 2),
        ("---\n- a\n---\n", 2),
        ("---\na: &a [x]\nb: *a\nname: M\nprofile: demo\n---\n", 2),
        ("---\nname: " + "[" * 5_000 + "\n---\n", 2),
        ("---\nname: Main\nprofile: demo\nallowStructuredAlongsidePty: maybe\n---\n", 4),
        ("---\nname: Main\nprofile: demo\ncapabilities: all\n---\n", 4),
        ('---\nname: Main\nprofile: demo\ncapabilities: ["\\ud800"]\n---\n', 4),
        ("---\nname: Main\nprofile: demo\ncapabilities: [" + "c" * 201 + "]\n---\n", 4),
        ("---\nname: Main\nprofile: demo\ncapabilities: [" + "c, " * 101 + "]\n---\n", 4),
        ('---\nname: Main\n"\\ud800": 1\n"\\ud800": 2\nprofile: demo\n---\n', 4),
        ("---\nname: Main\n\0\nprofile: demo\n---\n", 3),
        (b"---\nname: Main\nprofile: \xff\n---\n", 3),
        ("\0" * 3_000, 1),
        ("", 1),
    ],
)
async def test_a_broken_file_is_told_with_its_line_and_the_others_keep_working(
    root: Path, agent_files: AgentFiles, content: str | bytes, line: int
) -> None:
    _put(root, "qa.md", BY_HAND)
    _put(root, "broken.md", content)

    agents, broken = await agent_files.list()

    assert [agent.slug for agent in agents] == ["qa"]
    assert [(one.slug, one.line) for one in broken] == [("broken", line)]
    assert broken[0].reason.encode()


async def test_a_broken_file_names_its_reason_for_every_language(root: Path, agent_files: AgentFiles) -> None:
    _put(root, "a.md", "---\nname: Main\n---\n")
    _put(root, "b.md", "---\nname: Main\nprofile: demo\npermissions: everything\n---\n")
    _put(root, "c.md", "---\nname: Main\nprofile: demo\nmodel: --dangerous\n---\n")
    _put(root, "D.md", BY_HAND)
    _put(root, "e.md", "---\na: &b c\n---\n")
    (root / ".ideai/agents/f.md").symlink_to(root)
    limit = str(MAX_AGENT_BYTES)
    _put(root, "g.md", "x" * (MAX_AGENT_BYTES + 1))

    _, broken = await agent_files.list()

    assert {one.slug: one.fields() for one in broken} == {
        "a": {"why": "agentKeyMissing", "key": "profile"},
        "b": {"why": "agentPermissionsUnknown", "modes": "ask, edit, plan, full"},
        "c": {"why": "modelInvalid", "key": "model"},
        "D": {"why": "agentFileName"},
        "e": {"why": "agentAnchors"},
        "f": {"why": "agentUnusable", "reason": "it is a symbolic link", "fault": "link"},
        "g": {
            "why": "agentUnusable",
            "reason": f"it is larger than {limit} bytes",
            "fault": "tooLarge",
            "limit": limit,
        },
    }


@pytest.mark.parametrize("bomb", ["a: &a [x,x]\nb: [*a,*a]", "a: &a {b: c}\n<<: *a", "d: " + "[" * 20 + "]" * 20])
async def test_yaml_that_would_grow_is_refused(root: Path, agent_files: AgentFiles, bomb: str) -> None:
    _put(root, "a.md", f"---\n{bomb}\nname: Main\nprofile: demo\n---\n")

    agents, broken = await agent_files.list()

    assert (len(agents), len(broken)) == (0, 1)


@pytest.mark.parametrize("value", ["!!bool x", '!!int ""', '!!float ""', "!!int '+'", "!!int '0x'", "!!timestamp x"])
async def test_a_value_that_is_not_what_its_tag_says_breaks_its_own_file_only(
    root: Path, agent_files: AgentFiles, value: str
) -> None:
    _put(root, "evil.md", f"---\nname: Evil\nprofile: demo\nfoo: {value}\n---\n")
    good = await agent_files.create(AgentDraft(name="Good", profile="demo"))

    agents, broken = await agent_files.list()

    assert good in agents
    assert len(agents) + len(broken) == 2


async def test_a_tag_builds_nothing_and_stays_in_the_file(root: Path, agent_files: AgentFiles) -> None:
    path = _put(root, "qa.md", BY_HAND.replace("colour: teal", "colour: !!python/object/apply:os.system [true]"))
    before = path.read_text()
    ((agent,), _) = await agent_files.list()

    await agent_files.save(replace(agent, model="opus"))

    assert path.read_text() == before.replace("    - browser\n", "    - browser\nmodel: opus\n")


@pytest.mark.parametrize("name", ["CON.md", "a b.md", "-rf.md", "$(x).md", "é.md", "x" * 33 + ".md", "а.md"])
async def test_a_file_whose_name_is_no_slug_is_broken(root: Path, agent_files: AgentFiles, name: str) -> None:
    _put(root, name, BY_HAND)

    agents, broken = await agent_files.list()

    assert (list(agents), [one.slug for one in broken]) == ([], [name.removesuffix(".md")])


async def test_a_file_name_that_is_no_text_can_still_be_shown(root: Path, agent_files: AgentFiles) -> None:
    _put(root, os.fsdecode(b"\xff.md"), BY_HAND)

    (_, (broken,)) = await agent_files.list()

    assert broken.slug.encode()


async def test_links_fifos_folders_and_huge_files_are_broken_and_not_read(
    root: Path, agent_files: AgentFiles, tmp_path: Path
) -> None:
    (tmp_path / "outside.md").write_text(BY_HAND)
    folder = root / ".ideai" / "agents"
    (folder / "link.md").symlink_to(tmp_path / "outside.md")
    (folder / "zero.md").symlink_to("/dev/zero")
    os.mkfifo(folder / "fifo.md")
    (folder / "folder.md").mkdir()
    _put(root, "huge.md", BY_HAND + "x" * 300_000)

    agents, broken = await agent_files.list()

    assert list(agents) == []
    assert [one.slug for one in broken] == ["fifo", "folder", "huge", "link", "zero"]


async def test_of_two_files_with_one_id_the_copy_is_at_fault(root: Path, agent_files: AgentFiles) -> None:
    _put(root, "qa.md", BY_HAND)
    await agent_files.list()
    _put(root, "a-copy.md", BY_HAND)

    agents, broken = await agent_files.list()

    assert [agent.slug for agent in agents] == ["qa"]
    assert [one.slug for one in broken] == ["a-copy"]


async def test_a_renamed_file_is_the_same_agent(root: Path, agent_files: AgentFiles) -> None:
    path = _put(root, "qa.md", BY_HAND)
    await agent_files.list()
    path.rename(path.with_name("quality.md"))

    ((agent,), broken) = await agent_files.list()

    assert (agent.id, agent.slug, list(broken)) == (ID, "quality", [])


@pytest.mark.parametrize(
    "draft",
    [
        AgentDraft(name="", profile="demo"),
        AgentDraft(name=" Main", profile="demo"),
        AgentDraft(name="\u3164\u2800", profile="demo"),
        AgentDraft(name="x" * 81, profile="demo"),
        AgentDraft(name="a\nb", profile="demo"),
        AgentDraft(name="Main", profile="../x"),
        AgentDraft(name="Main", profile="demo", model="-x"),
        AgentDraft(name="Main", profile="demo", workspace="/etc"),
        AgentDraft(name="Main", profile="demo", capabilities=("\ud800",)),
        AgentDraft(name="Main", profile="demo", capabilities=("c" * 201,)),
        AgentDraft(name="Main", profile="demo", slug=AgentSlug("../x")),
        AgentDraft(name="Main", profile="demo", instructions="x" * 300_000),
    ],
)
async def test_an_unusable_draft_leaves_no_file(root: Path, agent_files: AgentFiles, draft: AgentDraft) -> None:
    with pytest.raises(Invalid):
        await agent_files.create(draft)

    assert not list((root / ".ideai" / "agents").iterdir())


async def test_a_slug_is_given_once(root: Path, agent_files: AgentFiles) -> None:
    await agent_files.create(AgentDraft(name="QA", profile="demo"))

    with pytest.raises(Conflict):
        await agent_files.create(AgentDraft(name="qa", profile="demo"))


async def test_names_without_any_ascii_letter_get_a_file_each(agent_files: AgentFiles) -> None:
    slugs = [(await agent_files.create(AgentDraft(name=name, profile="demo"))).slug for name in ("界", "測試", "Con")]

    assert slugs == ["agent", "agent-2", "con-agent"]


async def test_names_that_read_alike_as_files_get_files_of_their_own(agent_files: AgentFiles) -> None:
    long = "a" * 40
    names = ("C++", "C#", "C--", long, f"{long}!")

    slugs = [(await agent_files.create(AgentDraft(name=name, profile="demo"))).slug for name in names]

    assert slugs == ["c", "c-2", "c-3", "a" * 32, f"{'a' * 30}-2"]


@pytest.mark.parametrize("name", ["C++", "c++", "C", "Ｃ+\u034f+", "café", "CAFE\u0301", "équipe", "{id}", "lost"])
async def test_a_name_that_could_be_taken_for_another_agent_is_refused(
    root: Path, agent_files: AgentFiles, name: str
) -> None:
    first = await agent_files.create(AgentDraft(name="C++", profile="demo"))
    await agent_files.create(AgentDraft(name="Café", profile="demo"))
    renamed = await agent_files.create(AgentDraft(name="Équipe\u3164", slug=AgentSlug("team"), profile="demo"))
    await agent_files.save(replace(renamed, name="Crew"))
    await agent_files.save(replace(renamed, name="équipe"))
    other = await agent_files.create(AgentDraft(name="Other", profile="demo"))
    _put(root, "lost.md", "broken")
    taken = name.format(id=first.id)

    for slug in (None, AgentSlug("of-its-own")):
        with pytest.raises(Conflict) as refused:
            await agent_files.create(AgentDraft(name=taken, slug=slug, profile="demo"))
        assert refused.value.why == "agentNameTaken"
    with pytest.raises(Conflict):
        await agent_files.save(replace(other, name=taken))
    agents, _ = await agent_files.list()

    assert [agent.slug for agent in agents] == ["c", "cafe", "other", "team"]


async def test_a_name_is_kept_composed_and_its_file_takes_no_name_of_another(agent_files: AgentFiles) -> None:
    await agent_files.create(AgentDraft(name="Boss", slug=AgentSlug("main"), profile="demo"))

    agent = await agent_files.create(AgentDraft(name="Bo\u0301ss", profile="demo"))

    assert (agent.name, agent.slug) == ("B\xf3ss", "boss-2")


async def test_of_two_files_whose_names_read_alike_the_later_one_is_at_fault(
    root: Path, agent_files: AgentFiles
) -> None:
    first = await agent_files.create(AgentDraft(name="Main", profile="demo"))
    os.utime(root / ".ideai/agents/main.md", (60, 60))
    tester = _put(root, "tester.md", BY_HAND.replace("QA", "Tester"))
    await agent_files.list()
    tester.write_text(BY_HAND.replace("QA", "ｍain"))
    _put(root, "a-copy.md", "---\nname: MAIN\nprofile: demo\n---\n")

    agents, broken = await agent_files.list()

    assert list(agents) == [first]
    about = {"why": "agentNameTaken", "other": "Main", "file": "main.md"}
    assert [(one.slug, one.line, one.fields()) for one in broken] == [
        ("a-copy", 3, {**about, "name": "MAIN"}),
        ("tester", 4, {**about, "name": "ｍain"}),
    ]
    with pytest.raises(Conflict):
        await agent_files.read(AgentSlug("tester"))
    # Nor does another server give the name to somebody else.
    later = AgentFiles(root / ".ideai", new_id=UuidV7(), journal=WriteJournal())
    assert await later.list() == (agents, broken)


async def test_no_agent_takes_the_name_of_somebody_who_is_none(root: Path, agent_files: AgentFiles) -> None:
    with pytest.raises(Invalid):
        await agent_files.create(AgentDraft(name="Ｈuman", profile="demo"))

    _put(root, "qa.md", "---\nname: human\nprofile: demo\n---\n")
    ((), (broken,)) = await agent_files.list()

    assert broken.line == 2


async def test_what_a_hand_wrote_meanwhile_is_not_written_over(root: Path, agent_files: AgentFiles) -> None:
    path = _put(root, "qa.md", BY_HAND)
    ((agent,), _) = await agent_files.list()
    by_hand = BY_HAND.replace("You test.", "You test by hand.")
    path.write_text(by_hand)

    with pytest.raises(Conflict):
        await agent_files.save(replace(agent, name="Quality"), base=agent.version)

    assert path.read_text() == by_hand
    # A comment changes nothing that anybody edits in a form.
    path.write_text(BY_HAND.replace("---\n", "---\n# reviewed\n", 1))
    await agent_files.save(replace(agent, name="Quality"), base=agent.version)
    assert "# reviewed" in path.read_text()


async def test_saving_refuses_a_file_that_is_gone_broken_or_anothers(root: Path, agent_files: AgentFiles) -> None:
    path = _put(root, "qa.md", BY_HAND)
    ((agent,), _) = await agent_files.list()
    failures: list[type[IdeaError]] = []
    for content in (None, "---\nbroken: [\n---\n", BY_HAND.replace(ID, OTHER_ID)):
        path.unlink(missing_ok=True)
        if content is not None:
            path.write_text(content)
        with pytest.raises(IdeaError) as refused:
            await agent_files.save(agent)
        failures.append(type(refused.value))
        assert content is None or path.read_text() == content

    assert failures == [NotFound, Conflict, Conflict]


async def test_deleting_is_idempotent_and_stays_within_the_folder(root: Path, agent_files: AgentFiles) -> None:
    path = _put(root, "qa.md", BY_HAND)

    await agent_files.delete(AgentSlug("qa"))
    await agent_files.delete(AgentSlug("qa"))
    with pytest.raises(NotFound):
        await agent_files.delete(AgentSlug("../../secret"))

    assert not path.exists()


async def test_a_folder_replaced_by_a_link_while_open_is_refused(
    root: Path, agent_files: AgentFiles, tmp_path: Path
) -> None:
    (tmp_path / "outside").mkdir()
    (root / ".ideai" / "agents").rmdir()
    (root / ".ideai" / "agents").symlink_to(tmp_path / "outside")

    with pytest.raises(IdeaError):
        await agent_files.create(AgentDraft(name="Main", profile="demo"))

    assert not list((tmp_path / "outside").iterdir())
