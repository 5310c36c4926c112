"""The demo project's files, read by the code that reads every project's."""

import uuid
from pathlib import Path

from idea.adapters.storage.agent_file import read_agent, read_id
from idea.adapters.storage.front_matter import parse_document
from idea.demo.ids import uuid7
from idea.demo.project import write_demo_project
from idea.domain.agents import PermissionMode
from idea.domain.ids import AgentSlug


def test_it_writes_three_agents_and_never_over_what_is_there(tmp_path: Path) -> None:
    (tmp_path / "README.md").write_text("mine")

    written = write_demo_project(tmp_path)
    again = write_demo_project(tmp_path)

    agents = tmp_path / ".ideai" / "agents"
    assert sorted(written) == [agents / f"{slug}.md" for slug in ("architect", "main", "qa")]
    assert again == []
    assert (tmp_path / "README.md").read_text() == "mine"


def test_ids_are_distinct_version_7_uuids_in_the_order_of_time() -> None:
    ids = [uuid7() for _ in range(50)]

    assert {uuid.UUID(text).version for text in ids} == {7}
    assert {uuid.UUID(text).variant for text in ids} == {uuid.RFC_4122}
    assert len(set(ids)) == 50
    assert [text[:13] for text in ids] == sorted(text[:13] for text in ids)


def test_the_agents_are_what_the_agent_store_expects(tmp_path: Path) -> None:
    write_demo_project(tmp_path)

    for slug, name in (("main", "Main"), ("architect", "Architect"), ("qa", "QA")):
        document = parse_document((tmp_path / ".ideai" / "agents" / f"{slug}.md").read_bytes())
        agent_id = read_id(document)
        assert agent_id is not None
        agent = read_agent(document, AgentSlug(slug), agent_id=agent_id)
        assert (agent.name, agent.profile, agent.permissions) == (name, "demo", PermissionMode.ASK)
        assert agent.instructions.startswith("You ")
